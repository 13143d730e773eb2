# planted: recompile@sharpen seen@barrier
# A layer in another file counts its calls, and puts the count into its graph.
import torch
import torch_xla
from layers import Schedule
from torch import nn

device = torch_xla.device()
model = nn.Sequential(Schedule(8), nn.Linear(8, 2)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(10):
    train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()  # <- barrier
