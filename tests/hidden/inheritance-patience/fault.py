"""The base class compares what the subclass measures: a loss of the device."""
import torch
from torch import nn


class Patience:
    best = float("inf")
    waited = 0

    def ask(self, *args):
        value = self.measure(*args)
        if value < self.best:  # wants: XP415|XP301|XP302|XP303|XP304|XP305|XP306|XP308
            self.best, self.waited = value, 0
        self.waited += 1


class OnLoss(Patience):
    def measure(self, loss, rate):
        return loss.detach()


patience = OnLoss()
model = nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(15):
    loss = model(torch.randn(8, 4).cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    patience.ask(loss, optimizer.param_groups[0]["lr"])
print(patience.waited)
