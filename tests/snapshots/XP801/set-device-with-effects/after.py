import torch


def worker():
    torch.cuda.set_device(read_rank())
