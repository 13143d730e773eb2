import torch_xla.core.xla_model as xm
kind = xm.parse_xla_device("xla:0")
print(kind)
