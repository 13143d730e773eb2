import torch
import torch_xla

x = torch.ones(3).to(torch_xla.device())
for _ in range(2):
    x = x * 2
print(x.sum().item())
