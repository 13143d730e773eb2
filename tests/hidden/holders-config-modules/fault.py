"""A config object builds the optimizer; the trainer that holds it moves the model."""
import torch
from torch import nn


class Recipe:
    def __init__(self, rate):
        self.rate = rate

    def optimizer_for(self, part):
        return torch.optim.Adam(part.parameters(), lr=self.rate)  # wants: XP203


class Trainer:
    def __init__(self, recipe):
        self.parts = {"net": nn.Linear(8, 8)}
        self.rule = recipe.optimizer_for(self.parts["net"])

    def start(self):
        for part in self.parts.values():
            part.cuda()

    def fit(self, steps):
        self.start()
        for _ in range(steps):
            loss = self.parts["net"](torch.randn(2, 8).cuda()).pow(2).sum()
            self.rule.zero_grad()
            loss.backward()
            self.rule.step()
        return loss.item()


print(Trainer(Recipe(1e-3)).fit(10))
