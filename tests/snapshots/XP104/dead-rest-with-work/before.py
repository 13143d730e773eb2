import torch


def main(x):
    if torch.cuda.is_available():
        return x.fast()
    y = x.slow()
    return y
