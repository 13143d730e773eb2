# planted: extra-execution@barrier
# Eager mode runs each operation as a graph.
import torch
import torch_xla
from torch import nn

torch_xla.experimental.eager_mode(True)
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


for step in range(9):
    train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()  # <- barrier
