import torch

from measures import Spread


def test_spread():
    assert Spread().of(torch.ones(4, 2)).sum() == 2
