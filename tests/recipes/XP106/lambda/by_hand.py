import torch
import torch_xla

seed = lambda n: (torch.manual_seed(n), torch_xla.manual_seed(n))
seed(0)
print(torch.ones(3).to(torch_xla.device()).sum().item())
