import torch
from torch import nn


class Mix(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Linear(4, 4)
        self.weight.scale_init = 0


class Wrapper(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module
        for p in self.module.parameters():
            p.register_hook(print)


def init(model):
    for m in model.modules():
        if hasattr(m, "scale_init"):
            nn.init.constant_(m.bias, m.scale_init)


init(Mix())
