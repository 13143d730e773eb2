# planted: host-read
# A property that looks like a number is a read of the device.
import torch
import torch_xla
from torch import nn


class State:
    loss = None

    @property
    def value(self):
        return self.loss.item()  # <- here


device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
state = State()


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


best = float("inf")
for step in range(9):
    state.loss = train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
    best = min(best, state.value)
