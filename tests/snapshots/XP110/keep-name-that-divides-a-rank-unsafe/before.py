import torch


def setup(rank):
    n_gpu = torch.cuda.device_count()
    return rank // n_gpu, rank % n_gpu
