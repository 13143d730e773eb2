import torch


def main(a, b, x):
    if a:
        x.one()
    # without CUDA
    elif not torch.cuda.is_available():
        x.two()  # slowly
    # the other way
    elif b:
        x.three()
    else:
        x.four()
