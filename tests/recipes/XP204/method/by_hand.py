import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

device = torch_xla.device()
import torch_xla.core.xla_model as xm


def wait():
    torch_xla.sync()
    xm.wait_device_ops()


x = torch.ones(3).to(device)
torch_xla.sync()
xm.wait_device_ops()
print(x.sum().item())
