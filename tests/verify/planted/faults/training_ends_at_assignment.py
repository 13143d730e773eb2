# planted: not-training
# says: Write into the old one
# Each part of the model is set anew in the middle of the run.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def restart():
    for name, parameter in list(model.named_parameters()):
        setattr(model, name, nn.Parameter(torch.zeros_like(parameter)))  # <- here


for step in range(12):
    optimizer.zero_grad()
    (model(torch.randn(4, 8).to(device)) - 1).pow(2).mean().backward()
    optimizer.step()
    torch_xla.sync()
    if step == 5:
        restart()
