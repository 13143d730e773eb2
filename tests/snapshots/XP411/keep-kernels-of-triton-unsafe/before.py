import torch
import triton
from torch import nn


@triton.jit
def filtered(y, x, width):
    pass


def median(x, width):
    windows = x.contiguous().unfold(-1, width, 1)
    y = torch.empty_like(windows[..., 0])
    filtered[(len(x),)](y, x, width)
    return y


class Net(nn.Module):
    def forward(self, x):
        return median(x, 7)


model = Net().cuda()
