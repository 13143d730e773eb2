import torch
import torch_xla.core.xla_model as xm

print(xm.xla_device())
