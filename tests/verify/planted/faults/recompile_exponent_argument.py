# planted: recompile@cause seen@barrier
# An exponent that is handed over; only its gradient is in the graph, where it is one less.
# says: an exponent, a Python number at recompile_exponent_argument.py
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def loss_of(x, exponent):
    return model(x).abs().pow(exponent).mean()  # <- cause


for step in range(10):
    optimizer.zero_grad()
    loss_of(torch.randn(4, 8).to(device), 1.3 + step / 20).backward()
    optimizer.step()
    torch_xla.sync()  # <- barrier
