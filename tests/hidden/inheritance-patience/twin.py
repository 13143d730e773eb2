"""The subclass measures the learning rate."""
import torch
from torch import nn


class Patience:
    best = float("inf")
    waited = 0

    def ask(self, *args):
        value = self.measure(*args)
        if value < self.best:  # never: XP415|XP301|XP302|XP303|XP304|XP305|XP306|XP308
            self.best, self.waited = value, 0
        self.waited += 1


class OnLoss(Patience):
    def measure(self, loss, rate):
        return rate


patience = OnLoss()
model = nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(15):
    loss = model(torch.randn(8, 4).cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    patience.ask(loss, optimizer.param_groups[0]["lr"])  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308
print(patience.waited)
