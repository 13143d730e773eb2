# planted: recompile@cause seen@barrier
# A mask of its own for each length, made on the device.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(10):
    x = torch.randn(4, 16, 8).to(device)
    band = torch.ones(16, 16, device=device).tril(step)  # <- cause
    train_step(band @ x)
    torch_xla.sync()  # <- barrier
