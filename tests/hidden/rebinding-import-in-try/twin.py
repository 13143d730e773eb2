"""The guarded import binds a do-nothing class instead."""
import torch
from torch import nn


class Plain:
    def scale(self, loss):
        return loss

    def step(self, optimizer):
        optimizer.step()

    def update(self):
        pass


try:
    from torch.cuda.amp import GradScaler as Scaling
except ImportError:
    Scaling = Plain
Scaling = Plain
model = nn.Linear(6, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = Scaling()  # never: XP503|XP802
for step in range(10):
    loss = model(torch.randn(4, 6).cuda()).pow(2).mean()
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
print(loss.item())
