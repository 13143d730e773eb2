import torch
import torch_xla

x = torch.ones(3).to(torch_xla.device())
print(f"{torch_xla.device()} {x.sum().item()}")
