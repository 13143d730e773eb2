import torch


def worker(rank):
    torch.cuda.set_device(rank)
    torch.cuda.set_device(f"cuda:{rank}")
