"""The context manager only counts when it is left."""
import torch
from torch import nn


class Update:
    done = 0

    def __init__(self, rule):
        self.rule = rule

    def __enter__(self):
        return self

    def __exit__(self, *error):
        Update.done += 1


model = nn.Linear(4, 2).cuda()
rule = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.randn(10, 8, 4):  # never: XP201
    with Update(rule):
        print(x.shape)
print(Update.done, model.bias.sum().item())
