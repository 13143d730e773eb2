import torch
import torch_xla


def move(x, y):
    return x.to(torch_xla.device(), torch.float32), y.to(torch_xla.device(), torch.int64)
