import torch
from torch import nn

config = {"length": 4, "seen": 0}
model = nn.Sequential(nn.Embedding(30, 8), nn.Linear(8, 30)).cuda()
optimizer = torch.optim.Adam(model.parameters())
text = torch.randint(30, (6, 64)).cuda()


def widths(first):
    width = first
    while True:
        yield width
        width += 1


def prefixes(ids, last):
    for end in range(2, last):
        yield ids[:, :end]


def longer(settings):
    settings["length"] += 1


def train(ids):
    loss = nn.functional.cross_entropy(model(ids).transpose(1, 2), ids)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


sizes = widths(3)
for _ in range(60):
    train(text[:, : config["length"]])
    longer(config)

while config["seen"] < 40:
    train(text[:, : next(sizes)])
    config["seen"] += 1

for ids in prefixes(text, 50):
    train(ids)
