import numpy as np
import torch
import torch_xla
from agents import make_network

DEVICE = torch.device("cuda:0")
network = make_network().to(DEVICE)


def to_np(value):
    return value.cpu().detach().numpy()


class Agent:
    def __init__(self, env, config):
        self.env = env
        self.network = config.network()
        self.policy = config.policy
        self.optimizer = torch.optim.Adam(self.network.parameters())

    def step(self, states):
        entropies = []
        for _ in range(8):
            prediction = self.network(torch.from_numpy(states).float().to(DEVICE))
            dist = self.policy(prediction)
            actions = dist.sample()
            entropy = dist.entropy()
            torch_xla.sync()
            states, rewards, ends, info = self.env.step(to_np(actions))
            entropies.append(entropy)
        loss = -torch.cat(entropies).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return np.asarray(states)


def run(agent, states):
    for _ in range(20):
        states = agent.step(states)
