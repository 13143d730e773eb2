# planted: host-read
# A dataclass that holds a tensor: its repr, made by the standard library, reads it.
from dataclasses import dataclass

import torch
import torch_xla
from torch import nn


@dataclass
class Result:
    step: int
    loss: torch.Tensor


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
    result = Result(step, train_step(torch.randn(4, 8).to(device)).detach())
    torch_xla.sync()
    text = str(result)  # <- here
print(text)
