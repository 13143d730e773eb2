# planted: host-read
# A class with a __format__ of its own, shown by an f-string elsewhere.
import torch
import torch_xla
from torch import nn


class Shown:
    def __init__(self, tensor):
        self.tensor = tensor

    def __format__(self, spec):
        return format(float(self.tensor), spec)  # <- here


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
    loss = Shown(train_step(torch.randn(4, 8).to(device)).detach())
    torch_xla.sync()
    print(f"step {step}: {loss:.4f}")
