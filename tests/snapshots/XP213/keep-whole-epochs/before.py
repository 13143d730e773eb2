import torch_xla
import torch_xla.distributed.parallel_loader as pl


def train(loader, model, epochs):
    for epoch in range(epochs):
        for x in pl.MpDeviceLoader(loader, torch_xla.device()):
            for row in x:
                if row is None:
                    break
            model(x)
