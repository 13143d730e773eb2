import sys

import torch
from torch import nn, optim

TABLE = {
    "sgd": optim.SGD,
    "adam": optim.Adam,
    "adamw": optim.AdamW,
    "nadam": optim.NAdam,
    "radam": optim.RAdam,
    "adagrad": optim.Adagrad,
    "rprop": optim.Rprop,
}
model = nn.Linear(8, 1).cuda()
optimizer = TABLE[sys.argv[1]](model.parameters(), lr=0.01)
for _ in range(10):
    loss = model(torch.randn(16, 8).cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
