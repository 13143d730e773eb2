import pytest
import torch

from mylib import drop


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_drop(p):
    torch.manual_seed(0)
    assert drop(torch.ones(4), p).shape == (4,)
