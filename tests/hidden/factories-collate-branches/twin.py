"""The name that is asked for is that of the one that cuts."""
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def padded(rows):
    return pad_sequence(rows, batch_first=True)  # never: XP413


def clipped(rows):
    return torch.stack([row[:2] for row in rows])


def collate_for(kind):
    if kind == "clip":
        return clipped
    elif kind == "pad":
        return padded
    raise ValueError(kind)


def feed(rows, kind="clip"):
    return DataLoader(rows, batch_size=5, drop_last=True, collate_fn=collate_for(kind))


rows = [torch.randn(2 + n % 4, 3) for n in range(30)]
model = nn.Linear(3, 3).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in feed(rows):
    loss = model(x.cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
