# planted: recompile@cause seen@barrier
# A buffer on the device, written at a place that a Python number names.
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


history = torch.zeros(64).to(device)
for step in range(10):
    loss = train_step(torch.randn(4, 8).to(device))
    history[step + 5] = loss.detach()  # <- cause
    torch_xla.sync()  # <- barrier
