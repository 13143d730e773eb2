"""The mixin's method is called before the base class builds."""
import torch
from torch import nn


class Placement:
    def place(self):
        for key, value in vars(self).items():
            if isinstance(value, nn.Module):
                setattr(self, key, value.cuda())
        return self


class Training:
    def build(self):
        self.rule = torch.optim.SGD(self.model.parameters(), lr=0.1)  # never: XP203
        return self


class Job(Placement, Training):
    def __init__(self):
        self.model = nn.Linear(4, 4)


job = Job().place().build()
for _ in range(10):
    loss = job.model(torch.randn(4, 4).cuda()).pow(2).mean()
    job.rule.zero_grad()
    loss.backward()
    job.rule.step()
print(loss.item())
