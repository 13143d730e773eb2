import torch


def main(cuda):
    torch.cuda.synchronize() if cuda else None
    cuda and torch.cuda.synchronize()
