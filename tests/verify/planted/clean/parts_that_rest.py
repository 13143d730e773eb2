# Parts that are frozen on purpose, an optimizer without work, and parameters that are swapped and put back.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
body, head = nn.Linear(8, 8).to(device), nn.Linear(8, 2).to(device)
optimizers = [torch.optim.Adam(part.parameters(), lr=1e-3) for part in (body, head)]


def train_step():
    for optimizer in optimizers:
        optimizer.zero_grad()
    head(body(torch.randn(4, 8).to(device))).pow(2).mean().backward()
    for optimizer in optimizers:
        optimizer.step()
    torch_xla.sync()


for _ in range(6):
    train_step()
body.requires_grad_(False)
body.cpu()
body.to(device)
for _ in range(6):
    train_step()
for _ in range(6):
    trained = head.bias
    head.bias = nn.Parameter(torch.zeros_like(trained))
    head(body(torch.randn(4, 8).to(device))).pow(2).mean().backward()
    head.bias = trained
    train_step()
