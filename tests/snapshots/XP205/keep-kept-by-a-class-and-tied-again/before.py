import torch
from torch import nn


class Memory(nn.Module):
    VALUES = None

    def __init__(self):
        super().__init__()
        self.values = nn.Embedding(10, 4)
        if self.__class__.VALUES is None:
            type(self).VALUES = self.values.weight
        else:
            self.values.weight = self.__class__.VALUES

    def forward(self, x):
        return self.values(x)


net = nn.Sequential(Memory(), Memory()).to(torch.device("cuda"))
found = [m for m in net.modules() if isinstance(m, Memory)]
for m in found[1:]:
    m.values.weight = found[0].values.weight
