import unittest

import torch
from torch import nn

device = "cuda"


class FiniteTest(unittest.TestCase):
    def test_finite(self):
        model = nn.Linear(4, 2).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for i in range(5):
            optimizer.zero_grad()
            out = model(torch.randn(8, 4, device=device))
            assert torch.sigmoid(out).data.max() <= 1.0
            out.sum().backward()
            optimizer.step()
