import torch
import torch_xla
import torch_xla.core.xla_model as xm

memory = xm.get_memory_info(torch_xla.device())["bytes_limit"]
print(memory, torch.ones(3).to(torch_xla.device()).sum().item())
