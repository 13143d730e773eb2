import torch_xla
from torch import nn
import torch_xla.distributed.parallel_loader as pl


def train(loader, model, optimizer):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
