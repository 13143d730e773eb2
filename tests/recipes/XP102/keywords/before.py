import torch
import torch_xla

options = {"non_blocking": True}
x = torch.ones(3).cuda(**options)
print(x.sum().item())
