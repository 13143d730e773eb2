import torch
import torch_xla
import torch_xla.runtime as xr

x = torch.ones(3).to(torch_xla.device())
print("devices:", xr.global_runtime_device_count())
print(x.sum().item())
