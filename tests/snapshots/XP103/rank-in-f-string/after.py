import torch
import torch_xla


def worker(rank):
    return torch.zeros(3).to(torch_xla.device())
