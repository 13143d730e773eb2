import torch
import torch_xla

print(torch.cuda.max_memory_allocated(), torch.ones(3).to(torch_xla.device()).sum().item())
