import torch

from agent import Agent

agent = Agent(0.1).to(torch.device("cuda"))
