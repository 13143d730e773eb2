"""A context manager steps the optimizer when it is left."""
import torch
from torch import nn


class Update:
    done = 0

    def __init__(self, rule):
        self.rule = rule

    def __enter__(self):
        self.rule.zero_grad()
        return self

    def __exit__(self, *error):
        Update.done += 1
        self.rule.step()


model = nn.Linear(4, 2).cuda()
rule = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.randn(10, 8, 4):  # wants: XP201
    with Update(rule):
        model(x.cuda()).pow(2).mean().backward()
print(Update.done, model.bias.sum().item())
