"""The function only prints what it finds in globals()."""
import torch
from torch import nn

model = nn.Linear(6, 3).cuda()
rule = torch.optim.SGD(model.parameters(), lr=0.2)


def lookup(name):
    return globals()[name]


def learn(x):
    print(x.shape, lookup("rule").defaults["lr"])


batches = [torch.randn(4, 6) for _ in range(10)]
for x in batches:  # never: XP201
    learn(x)
print("weights", model.weight.sum().item())
