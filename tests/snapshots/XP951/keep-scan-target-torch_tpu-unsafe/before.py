from functools import partial

import torch
from functorch.compile import min_cut_rematerialization_partition
from torch_xla.experimental.scan import scan


def step(total, x):
    return total + x, total


def sums(values, *more):
    total = scan(step, torch.zeros(1), values, min_cut_rematerialization_partition)
    total = total + scan(step, torch.zeros(1), *more)
    return total + scan(step, torch.zeros(1))


sums_of = partial(scan, step)
