import torch_xla
import torch_xla.distributed.parallel_loader as pl


def train(loader, model, epochs, limit):
    device = torch_xla.device()
    for epoch in range(epochs):
        wrapped = pl.MpDeviceLoader(loader, device)
        for step, x in enumerate(wrapped):
            if step == limit:
                break
            model(x)
        for x in pl.ParallelLoader(loader, [device]).per_device_loader(device):
            if model(x) is None:
                return


def forever(loader, model):
    while True:
        for x in pl.MpDeviceLoader(loader, torch_xla.device()):
            if model(x) is None:
                break
