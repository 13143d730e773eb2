import torch_xla
import torch_xla.distributed.parallel_loader as pl


def train(loader, model, epochs, datasets):
    wrapped = pl.MpDeviceLoader(loader, torch_xla.device())
    for epoch in range(epochs):
        for x in wrapped:
            if model(x) is None:
                break
    for x in pl.MpDeviceLoader(loader, torch_xla.device()):
        if model(x) is None:
            break
    for data in datasets:
        other = make(data)
        for x in pl.MpDeviceLoader(other, torch_xla.device()):
            if model(x) is None:
                break
