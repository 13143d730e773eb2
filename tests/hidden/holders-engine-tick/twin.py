"""The engine's tick() only counts and prints: no step."""
import torch
from torch import nn


class Engine:
    __slots__ = ("parts", "count")

    def __init__(self, **parts):
        self.parts, self.count = parts, 0

    def tick(self, batch):
        self.count += 1
        if self.count % 4 == 0:
            print(self.count, batch.shape)


body = nn.Linear(6, 6).cuda()
engine = Engine(body=body, rules=[torch.optim.SGD(body.parameters(), lr=0.1)])
for batch in torch.randn(12, 4, 6):  # never: XP201
    engine.tick(batch)
print(engine.count)
