"""The base class makes the optimizer; the subclass moves the model afterwards."""
import torch
from torch import nn


class Base:
    def __init__(self, model):
        self.model = model
        self.rule = torch.optim.SGD(self.model.parameters(), lr=0.1)  # wants: XP203

    def fit(self, steps):
        for _ in range(steps):
            loss = self.model(self.batch()).pow(2).mean()
            self.rule.zero_grad()
            loss.backward()
            self.rule.step()
        return loss.item()


class Gpu(Base):
    def __init__(self):
        super().__init__(nn.Linear(6, 6))
        self.model.cuda()

    def batch(self):
        return torch.randn(4, 6).cuda()


print(Gpu().fit(10))
