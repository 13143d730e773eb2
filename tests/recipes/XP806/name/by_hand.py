import torch
import torch_xla

torch.cuda.empty_cache()
print(torch.ones(3).to(torch_xla.device()).sum().item())
