# planted: host-read, extra-execution
# What is called when a gradient has been added up.
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


norms = {}
for name, parameter in model.named_parameters():
    parameter.register_post_accumulate_grad_hook(
        lambda p, name=name: norms.__setitem__(name, p.grad.abs().max().tolist())  # <- here
    )
for step in range(9):
    train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
