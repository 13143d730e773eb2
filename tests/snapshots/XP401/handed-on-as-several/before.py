"""What a function makes of a slice is a tuple: how many things are in it is not how long the slice is."""

import torch
from torch import nn
from torch.utils.data import DataLoader


def pairs_of(one, other):
    matches = one[:, None] == other[None, :]
    return matches, ~matches


def counted(found):
    assert len(found) in (2, 3)
    return sum(part.sum() for part in found)


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)
        self.register_buffer("labels", torch.zeros(512, dtype=torch.long))
        self.filled = 0

    def forward(self, x, labels):
        known = self.labels[: self.filled]
        found = pairs_of(labels, known)
        self.filled += x.size(0)
        return self.layer(x).sum() * counted(found)


model = Memory().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, labels in DataLoader([(torch.zeros(4), 1)] * 512, batch_size=8):
    loss = model(x.cuda(), labels.cuda())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
