import torch_xla
from torch_xla.core import *
from torch_xla.runtime import world_size

__all__ = ["world_size"]


def device():
    return torch_xla.device()
