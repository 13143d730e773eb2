# planted: host-read
# Each step ends in a handler that tells of the loss.
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


history = {}
for step in range(9):
    loss = train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
    try:
        history[step % 2].append(0.0)
        raise KeyError(step)
    except KeyError:
        history[step % 2] = [loss.item()]  # <- here
