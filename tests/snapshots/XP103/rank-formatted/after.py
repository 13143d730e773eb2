import torch
import torch_xla


def worker(rank):
    device = "xla"
    other = "xla"
    third = "xla"
    return torch.zeros(3).to(device), torch.zeros(3).to(other), torch.zeros(3).to(third)
