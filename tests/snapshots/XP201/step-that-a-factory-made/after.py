import functools

import torch
import torch_xla
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def make_step(model, optimizer, scale):
    def step(x):
        optimizer.zero_grad()
        loss = model(x).mean() * scale
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def dry_step(model, x):
    return model(x).mean().detach()


step = make_step(model, optimizer, 2.0) if optimizer.param_groups else functools.partial(dry_step, model)
for x in torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8):
    step(x.to(device))
    torch_xla.sync()
