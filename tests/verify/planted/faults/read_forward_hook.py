# planted: host-read, extra-execution
# A forward hook that looks for nan cuts the step in two, in the middle of the forward pass.
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


def check(module, args, output):
    if not torch.isfinite(output).all():  # <- here
        raise FloatingPointError("not finite")


model.register_forward_hook(check)
for step in range(9):
    train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
