import torch
import torch_xla
from torch import nn


class Agent(nn.Module):
    def __init__(self, lr):
        super().__init__()
        self.net = nn.Linear(2, 2)
        self.net.to(torch_xla.device())
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)
