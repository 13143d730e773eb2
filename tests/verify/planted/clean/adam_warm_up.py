# Adam makes its state in the first step: the second step is another graph, and the last new one.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(7):
    train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
