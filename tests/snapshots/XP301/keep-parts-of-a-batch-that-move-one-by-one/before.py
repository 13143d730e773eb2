"""A batch is a list of views, or a dict of tensors: what moves its parts writes nothing to the host."""

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(4, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def of_views(loader):
    for views, _ in loader:
        views[0] = views[0].to(device)
        views[1] = views[1].to(device)
        loss = (model(views[0]) - model(views[1])).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()


def of_names(loader):
    for batch in loader:
        for key in batch.keys():
            batch[key] = batch[key].to(device)
        loss = model(batch["x"]).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()


of_views(torch.utils.data.DataLoader([((torch.ones(4), torch.zeros(4)), 1)] * 8))
of_names(torch.utils.data.DataLoader([{"x": torch.ones(4)}] * 8))
