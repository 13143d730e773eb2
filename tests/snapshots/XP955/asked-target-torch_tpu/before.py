import torch

x = torch.zeros(2)
print(x.is_xla, torch.device(type="xla"))


def moved(y):
    return y.is_xla
