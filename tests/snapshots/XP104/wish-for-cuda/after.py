import torch
import torch_xla


def define_device(device_name):
    if device_name == "auto":
        return "cuda"
    elif device_name == "cuda":
        return "xla"
    else:
        return device_name


def place(kind, model):
    if kind == "cuda":
        kind = torch_xla.device()
    model.to(kind)


class Trainer:
    def __init__(self, device_name="auto"):
        self.device = torch.device(define_device(device_name))

    def fit(self, x):
        net = torch.nn.Linear(4, 1).to(self.device)
        print(net(x.to(self.device)).mean().item())
