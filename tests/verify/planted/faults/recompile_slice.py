# planted: recompile@cause seen@barrier
# A counter in a slice is a part of the graph.
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


x = torch.randn(4, 32, 8).to(device)
for step in range(10):
    train_step(x[:, : step + 1])  # <- cause
    torch_xla.sync()  # <- barrier
