"""A function steps the global optimizer, which it finds by name in globals()."""
import torch
from torch import nn

model = nn.Linear(6, 3).cuda()
rule = torch.optim.SGD(model.parameters(), lr=0.2)


def lookup(name):
    return globals()[name]


def learn(x):
    lookup("rule").zero_grad()
    lookup("model")(x.cuda()).pow(2).mean().backward()
    lookup("rule").step()


batches = [torch.randn(4, 6) for _ in range(10)]
for x in batches:  # wants: XP201
    learn(x)
print("weights", model.weight.sum().item())
