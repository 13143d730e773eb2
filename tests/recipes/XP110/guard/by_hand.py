import torch
import torch_xla
import torch_xla.core.xla_model as xm

x = torch.ones(3).to(torch_xla.device())
name = xm.xla_device_kind()
print(x.sum().item())
