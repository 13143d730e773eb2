from functools import partial

import sounds
from torch import nn


def loaders(source):
    mapped = sounds.Mapped(source, sounds.louder)
    function = partial(sounds.heard, size=64)
    return mapped, source.map(function)


class Net(nn.Module):
    def forward(self, x):
        return sounds.shared(x)
