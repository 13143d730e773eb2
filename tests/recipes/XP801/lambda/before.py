import torch
import torch_xla

clear = lambda: torch.cuda.empty_cache()
clear()
print(torch.ones(3).to(torch_xla.device()).sum().item())
