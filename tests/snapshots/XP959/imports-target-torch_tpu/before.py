import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_backend
from torch_xla.amp import autocast, syncfree

print(xm.xla_device())
