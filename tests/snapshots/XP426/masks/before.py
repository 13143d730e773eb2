import math

import torch


def fill(x: torch.Tensor, mask: torch.Tensor):
    x = x * ~mask + float("-inf") * mask
    scores = x + mask.float() * -math.inf
    return scores - (x < 0) * torch.inf
