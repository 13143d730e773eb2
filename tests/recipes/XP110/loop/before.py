import torch
import torch_xla

for i in range(torch.cuda.device_count()):
    print(i, torch.ones(3).to(torch_xla.device()).sum().item())
