import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr
import torch_xla

a = torch_xla.device()
b = torch_xla.device()
c = torch_xla.device()
d = torch_xla.device()
e = torch_xla.device()
f = xm.xla_device(1)
g = xm.xla_device(n=xr.global_ordinal())
h = xm.xla_device(devkind="CPU")
i = xm.xla_device(*devices)
make = xm.xla_device
