# planted: host-read
# A function with some of its arguments filled in before.
import functools

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


def record(history, key, value):
    history.setdefault(key, []).append(value.detach().cpu().numpy())  # <- here


history = {}
log_loss = functools.partial(record, history, "loss")
for step in range(9):
    loss = train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
    log_loss(loss)
