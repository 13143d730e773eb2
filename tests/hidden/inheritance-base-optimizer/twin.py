"""The subclass moves the model before it calls the base class."""
import torch
from torch import nn


class Base:
    def __init__(self, model):
        self.model = model
        self.rule = torch.optim.SGD(self.model.parameters(), lr=0.1)  # never: XP203

    def fit(self, steps):
        for _ in range(steps):
            loss = self.model(self.batch()).pow(2).mean()
            self.rule.zero_grad()
            loss.backward()
            self.rule.step()
        return loss.item()


class Gpu(Base):
    def __init__(self):
        super().__init__(nn.Linear(6, 6).cuda())

    def batch(self):
        return torch.randn(4, 6).cuda()


print(Gpu().fit(10))
