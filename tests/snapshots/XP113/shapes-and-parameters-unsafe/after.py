"""What torch.Tensor() makes of a shape depends on whose it is; parameters are made by their size."""

import torch
import torch_xla
from torch import nn


class Norm(nn.Module):
    def __init__(self, channels, values):
        super().__init__()
        self.channels = channels
        self.weight = nn.Parameter(torch.empty(self.channels))
        self.bias = nn.Parameter(torch.as_tensor([0.0], dtype=torch.float32))
        self.values = torch.as_tensor(values, dtype=torch.float32)


def shapes(image, x):
    y = torch.ones(2, 3)
    known = torch.empty(y.shape), torch.empty(y.shape[1:]), torch.empty(y.size(0))
    scale = torch.Tensor(image.shape[1::-1]).repeat(2)
    other = torch.Tensor(x.size())
    shown = torch.Tensor([1.0, 2.0]).unsqueeze(0).cpu(), torch.Tensor([1.0]).sum().item()
    return known, scale, other, shown


if __name__ == "__main__":
    torch.set_default_device(torch_xla.device())
    shapes(Norm(4, [1.0]), None)
