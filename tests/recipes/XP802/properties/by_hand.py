import torch
import torch_xla
import torch_xla.core.xla_model as xm

is_large = xm.get_memory_info(torch_xla.device())["bytes_limit"] > 8 * 2**30
print(is_large, torch.ones(3).to(torch_xla.device()).sum().item())
