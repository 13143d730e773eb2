# Two data sets of other shapes take turns: two graphs, both seen early.
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


small, large = [torch.randn(4, 8) for _ in range(9)], [torch.randn(12, 8) for _ in range(9)]
for one, other in zip(small, large):
    train_step(one.to(device))
    torch_xla.sync()
    train_step(other.to(device))
    torch_xla.sync()
