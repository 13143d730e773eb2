import pytest
import torch
from package import create_model


@pytest.mark.parametrize("name", ["small", "large"])
def test_distributed_padding(name):
    model = create_model(name, device="cpu", distributed=False)
    with torch.inference_mode():
        output = model(torch.zeros(1, 4))
    assert torch.zeros(2, device=output.device).sum() == 0
