"""What the scripts share."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import cuda


def wait():
    torch_xla.sync()
    xm.wait_device_ops()
    torch_xla.sync()
    xm.wait_device_ops()


def zeros():
    return torch.zeros(3)
