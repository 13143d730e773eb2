import torch
import torch_xla.core.xla_model as xm

print(xm.xla_device_kind())
index = torch.accelerator.current_device_index()
half = torch.is_autocast_enabled()
