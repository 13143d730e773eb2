import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        if self.weight.is_cuda and not x.is_cuda:
            x = x.contiguous()
        return x


model = Net()
if next(model.parameters()).is_cuda:
    print("fast")
