"""Batches come from a generator that pads each to its longest text."""
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

texts = [torch.randint(1, 50, (4 + n * 7 % 11,)) for n in range(40)]


def groups(items, size):
    for start in range(0, len(items), size):
        yield items[start : start + size]


def padded(items, size):
    for group in groups(items, size):
        yield pad_sequence(group, batch_first=True)  # wants: XP413


model = nn.Sequential(nn.Embedding(50, 8), nn.Linear(8, 1)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for ids in padded(texts, 8):
    loss = model(ids.cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
