import torch
import torch_xla

print(f"{0} GPUs")
x = torch.ones(3).to(torch_xla.device())
print(x.sum().item())
