import torch
from torch import nn

device = torch.device("cuda")


class Agent:
    def __init__(self):
        self.actor = nn.Linear(4, 2).to(device)
        self.optimizer = torch.optim.Adam(self.actor.parameters())

    def act(self, state):
        return self.actor(state.to(device)).cpu().numpy()

    def update(self, states):
        self.optimizer.zero_grad()
        self.actor(states.to(device)).mean().backward()
        self.optimizer.step()


def train(agent, env, memory, warmup):
    step, state = 0, env.reset()
    while step < 1000:
        if step <= warmup:
            action = env.sample()
        else:
            action = agent.act(state)
        state = env.step(action)
        agent.update(memory.sample())
        step += 1


def main(env, memory):
    train(Agent(), env, memory, 100)
