import torch


def main(a, b):
    return a and torch.cuda.is_available() and b
