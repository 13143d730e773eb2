# planted: host-read, extra-execution
# A hook on a gradient runs in the backward pass, in a thread of the autograd engine.
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


norms = []


def record(gradient):
    norms.append(gradient.norm().item())  # <- here


model.weight.register_hook(record)
for step in range(9):
    train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
