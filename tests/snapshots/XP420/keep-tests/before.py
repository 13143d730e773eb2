import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader


@pytest.mark.parametrize("size", [3, 4])
def test_trains(size):
    model = nn.Linear(1, 1).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in DataLoader(torch.ones(8, 1), batch_size=size):
        loss = model(x.cuda()).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
