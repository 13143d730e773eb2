import torch
import torch.nn.functional as F
from torch import nn


def frames(signal, size, hop):
    *shape, length = signal.shape
    count = -(-length // hop)
    signal = F.pad(signal, (0, (count - 1) * hop + size - length))
    strides = list(signal.stride())
    return signal.as_strided([*shape, count, size], [*strides[:-1], hop, 1])


class Net(nn.Module):
    def forward(self, x):
        return frames(x, 4, 2).sum(-1)


model = Net().to("cuda")
print(model(torch.randn(2, 3, 16, 16).to("cuda")))
