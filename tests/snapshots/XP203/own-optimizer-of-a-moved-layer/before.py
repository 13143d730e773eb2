import torch
from torch import nn
from torch.optim import Adam


class Layer(nn.Linear):
    def __init__(self, size, device=None):
        super().__init__(size, size, device=device)
        self.opt = Adam(self.parameters())


class Net(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.layers = [Layer(4).to(device) for _ in range(3)]


net = Net(torch.device("cuda"))
