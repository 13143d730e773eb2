import torch
from torch import nn


def test_layer(size):
    layer = nn.Linear(size, 1).cuda()
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    loss = layer(torch.ones(2, size).cuda()).mean()
    loss.backward()
    optimizer.step()
    assert loss < 1e-6


if __name__ == "__main__":
    size = 1
    while size < 64:
        test_layer(size)
        size *= 2
