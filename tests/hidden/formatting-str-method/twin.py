"""The line shows how many there are; the mean is shown once, after the loop."""
import torch
from torch import nn


class Average:
    def __init__(self):
        self.value, self.count = torch.zeros((), device="cuda"), 0

    def add(self, loss):
        self.value, self.count = self.value + loss.detach(), self.count + 1

    def __str__(self):
        return f"{(self.value / max(self.count, 1)).item():.4f}"  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308


net = nn.Linear(7, 2).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
average = Average()
for step in range(30):
    loss = net(torch.randn(5, 7).cuda()).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    average.add(loss)
    print("step", step, "of", average.count)  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308
print(average)
