import torch


def main(a):
    return a or not torch.cuda.is_available()
