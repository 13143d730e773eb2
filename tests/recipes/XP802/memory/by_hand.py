import torch
import torch_xla
import torch_xla.core.xla_model as xm

print(xm.get_memory_info(torch_xla.device())["peak_bytes_used"], torch.ones(3).to(torch_xla.device()).sum().item())
