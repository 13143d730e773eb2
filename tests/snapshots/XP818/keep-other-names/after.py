import functools

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def save(checkpoint):
    return checkpoint(1)


class Saver:
    def checkpoint(self, x):
        return x


wrapped = functools.partial(checkpoint, use_reentrant=False)
print(save(print), Saver().checkpoint(nn.Linear(4, 4).to("cuda")))
