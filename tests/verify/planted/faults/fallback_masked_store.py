# planted: fallback
# x[mask] = value looks for the places of the mask first, if the values are a tensor.
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


for step in range(9):
    x = torch.randn(4, 8).to(device)
    rows = torch.nonzero(x[:, :1] > -100)  # <- here
    train_step(x[rows[:, 0]])
    torch_xla.sync()
