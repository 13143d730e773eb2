import torch


def main(work):
    old = torch.backends.cudnn.benchmark
    work()
