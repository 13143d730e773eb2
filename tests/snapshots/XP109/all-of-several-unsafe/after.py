import torch


def on_gpu(xs):
    return all(x.is_xla for x in xs)
