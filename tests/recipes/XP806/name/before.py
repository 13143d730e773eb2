import torch
import torch_xla

module = getattr(torch, "cuda")
module.empty_cache()
print(torch.ones(3).to(torch_xla.device()).sum().item())
