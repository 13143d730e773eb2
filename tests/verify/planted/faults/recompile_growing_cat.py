# planted: recompile@cause seen@barrier
# A memory of all features so far.
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


memory = torch.zeros(1, 8).to(device)
for step in range(10):
    x = torch.randn(4, 8).to(device)
    train_step(x)
    memory = torch.cat([memory, x])  # <- cause
    torch_xla.sync()  # <- barrier
