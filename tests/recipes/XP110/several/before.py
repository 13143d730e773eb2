import torch
import torch_xla

x = torch.ones(3).to(torch_xla.device())
if torch.cuda.device_count() > 1:
    x = x * 2
print(x.sum().item())
