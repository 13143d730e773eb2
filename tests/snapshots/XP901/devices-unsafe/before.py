import torch_xla.core.xla_model as xm

make = xm.xla_device
device = make()
second = xm.xla_device(1)
