"""Loops whose sequence is used in other ways, and those that are right already."""

import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Embedding(8, 8).to(device)
start = torch.zeros(1, 4, dtype=torch.long, device=device)
with torch.no_grad():
    seen = start
    for _ in range(16):  # two barriers already
        window = seen[:, -4:]
        torch_xla.sync()
        token = model(window)[:, -1].argmax(-1, keepdim=True)
        torch_xla.sync()
        seen = torch.cat([seen, token], 1)

    seen = start
    for _ in range(16):  # the model gets all of it
        window = seen[:, -4:]
        token = model(seen)[:, -1].argmax(-1, keepdim=True) + window[:, :1]
        seen = torch.cat([seen, token], 1)
        torch_xla.sync()

    seen = start
    for _ in range(16):  # the last place alone
        window = seen[:, -1:]
        token = model(window)[:, -1].argmax(-1, keepdim=True)
        seen = torch.cat([seen, token], 1)
        torch_xla.sync()

    seen = start
    for _ in range(16):  # all but the first
        window = seen[:, 1:]
        token = model(window)[:, -1].argmax(-1, keepdim=True)
        seen = torch.cat([seen, token], 1)
        torch_xla.sync()

    seen = start
    for _ in range(16):  # read in between
        window = seen[:, -4:]
        token = model(window)[:, -1].argmax(-1, keepdim=True)
        if token.item() == 0:
            break
        seen = torch.cat([seen, token], 1)
        torch_xla.sync()

    seen = start
    for _ in range(16):  # a window of a fixed size
        token = model(seen)[:, -1].argmax(-1, keepdim=True)
        seen = torch.cat([seen[:, 1:], token], 1)
        torch_xla.sync()

    seen = start
    for step in range(16):  # joined now and then
        window = seen[:, -4:]
        token = model(window)[:, -1].argmax(-1, keepdim=True)
        if step % 2:
            seen = torch.cat([seen, token], 1)
        torch_xla.sync()

    seen = start
    for _ in range(16):  # no barrier
        window = seen[:, -4:]
        token = model(window)[:, -1].argmax(-1, keepdim=True)
        seen = torch.cat([seen, token], 1)
