"""A mixin's method moves the model, after the base class made the optimizer."""
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
        self.rule = torch.optim.SGD(self.model.parameters(), lr=0.1)  # wants: XP203
        return self


class Job(Placement, Training):
    def __init__(self):
        self.model = nn.Linear(4, 4)


job = Job().build().place()
for _ in range(10):
    loss = job.model(torch.randn(4, 4).cuda()).pow(2).mean()
    job.rule.zero_grad()
    loss.backward()
    job.rule.step()
print(loss.item())
