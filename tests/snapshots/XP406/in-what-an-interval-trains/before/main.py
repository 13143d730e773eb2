import torch
from agent import Agent

agent = Agent()
for step in range(24):
    action = agent.act(torch.rand(4, device="cuda"))
    if step >= 4 and step % 4 == 0:
        agent.learn(torch.rand(8, 4, device="cuda"))
