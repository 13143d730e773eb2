# planted: host-read, extra-execution
# An __eq__ that compares tensors, called by `in`.
import torch
import torch_xla
from torch import nn


class Key:
    def __init__(self, tensor):
        self.tensor = tensor

    def __eq__(self, other):
        return bool((self.tensor == other.tensor).all())  # <- here

    __hash__ = None


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


previous = Key(torch.zeros((), device=device))
for step in range(9):
    loss = Key(train_step(torch.randn(4, 8).to(device)).detach())
    torch_xla.sync()
    if loss in [previous]:
        break
    previous = loss
