import torch


def wait(device):
    torch.cuda.synchronize(device)
    torch.cuda.synchronize(device=0)
