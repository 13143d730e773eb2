import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(16, 8) for _ in range(6)]
import math


def train():
    for step, x in enumerate(batches):
        x = x.to(device)
        loss = model(x).square().mean()
        if step % 100 == 0 and not math.isfinite(loss.item()):
            raise FloatingPointError("no number")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
    return loss.item()


try:
    print(f"{train():.5f}")
except FloatingPointError as error:
    print(error)
