"""The reduction that is chosen takes the mean of all."""
import torch
from torch import nn


class Reduce:
    positive = staticmethod(lambda t: t[t > 0].mean())  # never: XP408|XP412
    every = staticmethod(lambda t: t.abs().mean())


class Loss(nn.Module):
    reduction = Reduce.every

    def forward(self, x):
        return type(self).reduction(x)


model, criterion = nn.Linear(5, 5).cuda(), Loss()
optimizer = torch.optim.RMSprop(model.parameters())
for step in range(12):
    x = torch.randn(8, 5).cuda()
    loss = criterion(model(x))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
