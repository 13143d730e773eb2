import torch
import torch_xla.core.xla_model as xm


def train(model, optimizer, loader):
    for x in loader:
        model(x).mean().backward()
        xm.optimizer_step(optimizer, barrier=True)
