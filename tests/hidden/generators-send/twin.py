"""The step's number is sent into it."""
import torch
from torch import nn


def averager():
    total, count, mean = 0.0, 0, 0.0
    while True:
        value = yield mean
        total += float(value)  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308
        count += 1
        mean = total / count


average = averager()
next(average)
model = nn.Linear(5, 1).cuda()
optimizer = torch.optim.Adam(model.parameters())
for step in range(20):
    loss = model(torch.randn(4, 5).cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    mean = average.send(step)
print(mean)
