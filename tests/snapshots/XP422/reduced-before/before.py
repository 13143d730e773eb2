"""A maximum is a tensor: the host waits where a size is made of it, not where it is computed."""

import torch
from torch import nn
from torch.utils.data import DataLoader


def mask_of(lengths, longest=None):
    if longest is None:
        longest = lengths.max()
    scaled = lengths.float() * longest
    places = torch.arange(longest, device=lengths.device)
    return (places[None, :] < lengths[:, None]).sum() + scaled.sum()


def rounded(lengths):
    longest = int(lengths.max() + 1)
    return torch.arange(longest, device=lengths.device)


model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, lengths in DataLoader([(torch.zeros(4), 3)] * 64, batch_size=8):
    x, lengths = x.cuda(), lengths.cuda()
    loss = model(x).sum() * mask_of(lengths) * rounded(lengths).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
