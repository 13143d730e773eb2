# A checkpoint at the end of each epoch reads all parameters, once in many steps.
import io

import torch
import torch_xla
import torch_xla.core.xla_model as xm
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


for epoch in range(2):
    for step in range(7):
        train_step(torch.randn(4, 8).to(device))
        torch_xla.sync()
    xm.save(model.state_dict(), io.BytesIO())
