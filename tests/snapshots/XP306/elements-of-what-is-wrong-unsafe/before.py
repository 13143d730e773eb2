"""Elements that are read where the host has found something: by one copy, if it waits for the TPU there anyway."""

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 10).to(device)


@torch.no_grad()
def mistakes(loader):
    shown = 0
    for x, y in loader:
        found = model(x.to(device)).argmax(1)
        wanted = y.to(device)
        right = (found == wanted).cpu()
        for i in range(len(x)):
            if not right[i] and shown < 5:
                shown += 1
                print("claims %d but is %d" % (found[i], wanted[i]))


@torch.no_grad()
def seldom(loader, verbose):
    for number, (x, y) in enumerate(loader):
        found = model(x.to(device)).argmax(1)
        for i in range(len(x)):  # nothing else is read here
            if y[i] == 3:
                print(found[i].item())
        first = found[0].item()
        for i in range(len(x)):  # nothing that a pass answers
            if verbose:
                print(first, found[i].item())
        for i in range(len(x)):  # a model runs for what is wrong
            if y[i] != first:
                print(model(x[i].to(device)).argmax().item() - found[i].item())


for x in torch.randn(100, 4).chunk(10):
    mistakes([(x, x.argmax(1))])
    seldom([(x, x.argmax(1))], False)
