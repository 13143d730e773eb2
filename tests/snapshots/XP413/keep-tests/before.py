import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def collate(rows):
    return pad_sequence(rows, batch_first=True)


@pytest.mark.parametrize("size", [2, 4])
def test_trains(size):
    model = nn.Linear(1, 1).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in DataLoader([torch.ones(n) for n in range(1, 9)], batch_size=size, collate_fn=collate):
        loss = model(x.cuda()[..., None]).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
