import pytest
import torch
import torch_xla

from mylib import drop

device = torch.device("cuda")


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_drop(p):
    torch.manual_seed(0)
    torch_xla.manual_seed(0)
    assert drop(torch.ones(4, device=device), p).shape == (4,)
