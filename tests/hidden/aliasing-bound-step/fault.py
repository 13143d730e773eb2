"""The optimizer's step runs through a bound method with another name."""
import torch
from torch import nn

model = nn.Linear(5, 5).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, 3)
advance, clear = optimizer.step, optimizer.zero_grad
x = torch.randn(64, 5).cuda()
rates = []
optimizer.step()
for epoch in range(9):  # wants: XP201
    clear()
    model(x).pow(2).mean().backward()
    advance()
    rates.append(optimizer.param_groups[0]["lr"])
print(rates, model(x).mean().item())
