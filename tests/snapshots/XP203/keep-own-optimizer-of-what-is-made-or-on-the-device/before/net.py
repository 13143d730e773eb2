import torch
from torch import nn, optim


class Host(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)
        self.optim = optim.Adam(self.parameters())


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)
        self.optim = optim.Adam(self.parameters())


class Derived(Base):
    pass


class There(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(4, device=device))
        self.optim = optim.Adam(self.parameters())


class Later(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def begin(self):
        self.optim = optim.Adam(self.parameters())
