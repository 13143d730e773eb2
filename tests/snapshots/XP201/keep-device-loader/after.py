import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl


def train(model, optimizer, loader):
    for x in pl.MpDeviceLoader(loader, torch_xla.device()):
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
