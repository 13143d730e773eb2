"""A guarded import binds the scaler's class to a name of the program's own."""
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
model = nn.Linear(6, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = Scaling()  # wants: XP503
for step in range(10):
    loss = model(torch.randn(4, 6).cuda()).pow(2).mean()
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
print(loss.item())
