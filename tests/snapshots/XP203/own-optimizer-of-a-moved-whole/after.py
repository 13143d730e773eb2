import torch
import torch_xla
from torch import nn


class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.layer.to(torch_xla.device())
        self.opt = torch.optim.Adam(self.layer.parameters())


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = Part()


whole = Whole()
whole.to(torch.device("cuda"))
