import gym
import torch
from torch import nn


class Agent:
    def __init__(self, continuous):
        self.policy = nn.Linear(4, 2).cuda()
        self.continuous = continuous
        self.values = []

    def select_action(self, state):
        if self.continuous:
            with torch.no_grad():
                value = self.policy(torch.FloatTensor(state).cuda())
            self.values.append(value)
            return value.cpu().numpy().flatten()
        else:
            with torch.no_grad():
                value = self.policy(torch.FloatTensor(state).cuda())
            self.values.append(value)
            return value.argmax().item()


env = gym.make("CartPole-v1")
agent = Agent(False)
state = env.reset()
for _ in range(100):
    action = agent.select_action(state)
    state, reward, done, _ = env.step(action)
print(agent.select_action(state))
