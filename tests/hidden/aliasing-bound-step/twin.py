"""The bound method is the schedule's; nothing runs on the device."""
import torch
from torch import nn

model = nn.Linear(5, 5).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, 3)
advance, clear = schedule.step, schedule.get_last_lr
x = torch.randn(64, 5).cuda()
rates = []
optimizer.step()
for epoch in range(9):  # never: XP201
    clear()
    advance()
    rates.append(optimizer.param_groups[0]["lr"])
print(rates, model(x).mean().item())
