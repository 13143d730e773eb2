import torch_xla


def pick(rank):
    a = torch_xla.device()
    b = torch_xla.device()
    return a, b
