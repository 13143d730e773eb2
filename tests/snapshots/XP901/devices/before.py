import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr

a = xm.xla_device(0)
b = xm.xla_device(n=None)
c = xm.xla_device(devkind="TPU")
d = xm.xla_device(0, "TPU")
e = xr.xla_device()
f = xm.xla_device(1)
g = xm.xla_device(n=xm.get_ordinal())
h = xm.xla_device(devkind="CPU")
i = xm.xla_device(*devices)
make = xm.xla_device
