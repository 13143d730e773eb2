import torch
import torch_xla

# xlaport: skip-fil
x = torch.ones(3).to(torch_xla.device())
print(x.sum().item())
