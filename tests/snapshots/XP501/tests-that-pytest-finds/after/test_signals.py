# A program that has the name of a test.
from torch import nn

from engine import load


def test(layer: nn.Module):
    return layer.double()


if __name__ == "__main__":
    print(test(load()))
