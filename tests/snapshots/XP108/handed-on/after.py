import torch


def check(x, build):
    Tensor = torch.cuda.FloatTensor
    build(Tensor)
    return isinstance(x, torch.cuda.FloatTensor)
