import torch
import torch_xla.core.xla_model as xm


def agree(x):
    xm.collective_broadcast([x], 0)
    return x
