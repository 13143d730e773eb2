# A rate that is a tensor, changed in place; capturable optimizers compute with it on the device.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 2).to(device)
rate = torch.tensor(0.1).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=rate, capturable=True)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(12):
    train_step(torch.randn(4, 8).to(device))
    rate.mul_(0.9)
    torch_xla.sync()
