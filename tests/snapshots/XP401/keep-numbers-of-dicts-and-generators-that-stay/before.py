import torch
from torch import nn

config = {"length": 4, "seen": 0}
model = nn.Sequential(nn.Embedding(30, 8), nn.Linear(8, 30)).to("xla")
optimizer = torch.optim.Adam(model.parameters())
text = torch.randint(30, (6, 64)).to("xla")


def widths(first):
    while True:
        width = first
        width += 1
        yield width


def prefixes(ids, last):
    for end in range(2, last):
        yield ids[:, :8], end


def counted(limit):
    yield from range(limit)


def train(ids):
    loss = nn.functional.cross_entropy(model(ids).transpose(1, 2), ids)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


sizes = widths(3)
for _ in range(60):
    part = {"end": 4}
    part["end"] += 4
    train(text[:, : config["length"]] + text[:, : part["end"] - 4])
    config["seen"] += 1

for _ in range(40):
    train(text[:, : next(sizes)])

for ids, end in prefixes(text, 50):
    train(ids)
    print(end)

for _ in range(20):
    for end in counted(3):
        text[:, :end].sum()
    train(text)

longest = 0
for _ in range(20):
    train(text)
    config["length"] += 1
    longest = max(longest, config["length"])
for _ in range(20):
    train(text[:, : config["length"]])
