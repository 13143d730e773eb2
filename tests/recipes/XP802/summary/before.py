import torch
import torch_xla

print(torch.cuda.memory_summary(), torch.ones(3).to(torch_xla.device()).sum().item())
