import torch
import torch_xla

for i in range(1):
    print(i, torch.ones(3).to(torch_xla.device()).sum().item())
