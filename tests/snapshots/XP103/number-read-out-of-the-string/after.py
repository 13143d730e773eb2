import torch
import torch_xla


def start(model):
    device = "cuda:1"
    model.to(torch_xla.device())
    kind, number = device.split(":")
    print(kind, number)


def other(x: torch.Tensor):
    device = "cuda:1"
    print(int(device.split(":")[-1]))
    return x.to(torch_xla.device())
