import torch


def on_gpu(xs):
    return all(x.is_cuda for x in xs)
