import torch
import torch.nn.functional as F
from torch import nn

from layers import GatedLinearUnit


class ShuffledChannels(torch.nn.ChannelShuffle):
    """The same as nn.ChannelShuffle by operations that XLA has a kernel for."""

    def forward(self, input):
        return input.unflatten(1, (self.groups, -1)).transpose(1, 2).flatten(1, 2)


def gated_linear_unit(input, dim=-1):
    """The same as glu(), whose gradient XLA has no kernel for."""
    values, gates = input.chunk(2, dim)
    return values * torch.sigmoid(gates)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.GLU()  # the name of the helper means something else here
        self.other = GatedLinearUnit()
        self.shuffle = ShuffledChannels(2)

    def forward(self, x, target):
        x = gated_linear_unit(
            self.shuffle(x),
            dim=1,  # the channels
        )
        return F.smooth_l1_loss(x, target), 1 / torch.pow(2.0, x), -(torch.round(x * 10**1) / 10**1), gated_linear_unit(x)


model = Net().cuda()
