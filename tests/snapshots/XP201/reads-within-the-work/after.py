import contextlib

import torch
import torch_xla
from torch import nn


def evaluate(model, loader, cast):
    total, features = 0.0, []
    with torch.no_grad():
        for x, y in loader:
            x, y = x.cuda(), y.cuda()
            with cast():
                out = model(x)
                features.append(out.cpu())
                loss = nn.functional.cross_entropy(out, y)
                torch_xla.sync()
            total += loss * len(x)
    return total, torch.cat(features)


print(evaluate(nn.Linear(4, 3).cuda(), torch.utils.data.DataLoader([]), contextlib.nullcontext))
