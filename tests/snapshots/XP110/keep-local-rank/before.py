import torch


def setup(rank):
    return rank % torch.cuda.device_count()
