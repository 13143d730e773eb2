"""The base class hands the step's number to it."""
import torch
from torch import nn


class Reporter:
    lines = []

    def report(self, step, loss):
        self.lines.append(self.text(step / 2))

    def text(self, value):
        raise NotImplementedError


class Short(Reporter):
    def text(self, value):
        return "%.3f" % value  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308


reporter = Short()
model = nn.Linear(6, 2).cuda()
optimizer = torch.optim.Adam(model.parameters())
for step in range(15):
    loss = model(torch.randn(4, 6).cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    reporter.report(step, loss)  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308
print(reporter.lines[-1])
