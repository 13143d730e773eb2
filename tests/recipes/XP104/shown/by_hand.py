import torch
import torch_xla

print(f"CUDA: {False}")
x = torch.ones(3).to(torch_xla.device())
print(x.sum().item())
