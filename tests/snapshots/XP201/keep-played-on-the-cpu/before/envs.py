import gym
import torch


class Env:
    def __init__(self, inner, device):
        self.inner, self.device = inner, device

    def reset(self):
        return torch.from_numpy(self.inner.reset()).to(self.device)

    def step(self, action):
        observation, reward, done, _ = self.inner.step(action.cpu().numpy())
        return torch.from_numpy(observation).to(self.device), reward, done


def make_env(name, device):
    return Env(gym.make(name), device)
