import torch


def main(a):
    return a \
        and torch.cuda.is_available()
