import torch
import torch.nn as nn
import torch_xla


class Agent:
    def __init__(self):
        self.device = torch_xla.device()
        self.actor = nn.Linear(4, 2).to(self.device)
        self.critic = nn.Linear(2, 1).to(self.device)

    def best(self, state):
        with torch.no_grad():
            state = torch.FloatTensor(state.reshape(1, -1)).repeat(100, 1).to(self.device)
            action = self.actor(state + torch.randn_like(state))
            place = self.critic(action).argmax(0)
        torch_xla.sync()
        return action[place].cpu().data.numpy().flatten()

    def shifted(self, state):
        with torch.no_grad():
            action = self.actor(torch.FloatTensor(state).to(self.device)) + torch.randn(2, device=self.device)
        torch_xla.sync()
        return (action + 1).cpu().numpy()

    def read_alone(self, state):
        with torch.no_grad():
            action = self.actor(torch.FloatTensor(state).to(self.device)) + torch.randn(2, device=self.device)
        torch_xla.sync()
        return action.cpu().numpy().flatten()[0]


def play(env):
    policy = Agent()
    state, done = env.reset(), False
    while not done:
        state, reward, done, _ = env.step(policy.best(state))
    while not done:
        state, reward, done, _ = env.step(policy.shifted(state))
    while not done:
        state, reward, done, _ = env.step(policy.read_alone(state))
