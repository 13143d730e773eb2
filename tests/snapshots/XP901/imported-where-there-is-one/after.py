"""A program that also runs where there is no torch_xla."""

import torch

try:
    import torch_xla.core.xla_model as xm
    import torch_xla
    import torch_xla.runtime as xr
except ImportError:
    xm = None


def sync():
    if xm is not None:
        torch_xla.sync()


def world_size():
    return xr.world_size() if xm else 1
