import torch
import torch_xla.core.xla_model as xm


def train(model, optimizer, loader):
    for x in loader:
        model(x).mean().backward()
        optimizer.step()
        xm.mark_step()
