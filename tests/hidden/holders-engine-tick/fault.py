"""An engine object holds the optimizer, and its tick() is the step."""
import torch
from torch import nn


class Engine:
    __slots__ = ("parts", "count")

    def __init__(self, **parts):
        self.parts, self.count = parts, 0

    def tick(self, batch):
        self.count += 1
        for rule in self.parts["rules"]:
            rule.zero_grad()
        self.parts["body"](batch.cuda()).pow(2).mean().backward()
        for rule in self.parts["rules"]:
            rule.step()


body = nn.Linear(6, 6).cuda()
engine = Engine(body=body, rules=[torch.optim.SGD(body.parameters(), lr=0.1)])
for batch in torch.randn(12, 4, 6):  # wants: XP201
    engine.tick(batch)
print(engine.count)
