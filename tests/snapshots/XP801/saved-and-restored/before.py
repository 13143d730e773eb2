import torch


def main(work):
    old = torch.backends.cudnn.benchmark
    torch.backends.cudnn.benchmark = True
    work()
    torch.backends.cudnn.benchmark = old
