import json

import pytest
import torch
from torch import nn


@pytest.mark.parametrize("size", [4, 8])
def test_finite(size):
    model = nn.Linear(size, 2)
    for batch in torch.utils.data.DataLoader(torch.zeros(8, size)):
        assert torch.isfinite(model(batch)).all(), json.dumps({"size": size})
