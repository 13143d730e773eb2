import torch_xla.core.xla_model as xm
import torch_xla

make = torch_xla.device
device = make()
second = xm.xla_device(1)
