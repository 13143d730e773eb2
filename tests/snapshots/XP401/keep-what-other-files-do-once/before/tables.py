import random

import torch


def crop(x: torch.Tensor):
    start = random.randint(0, 900)
    return x[start : start + 64]


def spread(x: torch.Tensor, width):
    return x * width + x[:8].mean()
