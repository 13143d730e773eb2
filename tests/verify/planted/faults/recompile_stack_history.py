# planted: recompile@cause seen@barrier
# The mean of all losses so far, from a list that grows.
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


losses = []
for step in range(10):
    losses.append(train_step(torch.randn(4, 8).to(device)).detach())
    mean = torch.stack(losses).mean()  # <- cause
    torch_xla.sync()  # <- barrier
