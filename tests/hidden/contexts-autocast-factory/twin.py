"""The option is off: the context does nothing."""
import contextlib
import torch
from torch import nn

CONTEXTS = {True: torch.cuda.amp.autocast, False: contextlib.nullcontext}


def precision(options):
    return CONTEXTS[options["amp"]]


options = {"amp": False, "lr": 0.1}
model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=options["lr"])
for step in range(8):
    x = torch.randn(4, 8).cuda()
    with precision(options)():  # never: XP502
        loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
