import math

import torch
import torch_xla


def train(model, optimizer, loader):
    for x in loader:
        loss = model(x).mean()
        if not math.isfinite(loss.item()):
            raise ValueError("nan")
        loss.backward()
        optimizer.step()
        torch_xla.sync()
