import torch


def free():
    torch.cuda.empty_cache()
