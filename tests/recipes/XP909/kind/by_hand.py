import torch_xla.core.xla_model as xm
print(xm.get_xla_supported_devices())
