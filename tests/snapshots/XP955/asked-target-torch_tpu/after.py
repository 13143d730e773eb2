import torch

x = torch.zeros(2)
print(x.is_tpu, torch.device(type="tpu"))


def moved(y):
    return y.is_xla
