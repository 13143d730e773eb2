import math

import torch


def fill(x: torch.Tensor, mask: torch.Tensor, sign: int):
    best = -math.inf * sign
    x = x.masked_fill(mask, float("-inf"))
    x = x * ~mask + -1e4 * mask
    return x, best, float("2.5") * x
