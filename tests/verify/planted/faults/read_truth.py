# planted: host-read, extra-execution
# An object whose truth is a value on the device.
import torch
import torch_xla
from torch import nn


class Converged:
    loss = None

    def __bool__(self):
        return (self.loss < 1e-12).item()  # <- here


device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
converged = Converged()


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(9):
    converged.loss = train_step(torch.randn(4, 8).to(device)).detach()
    torch_xla.sync()
    if converged:
        break
