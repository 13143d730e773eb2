import torch
import torch_xla

print(f"CUDA: {torch.cuda.is_available()}")
x = torch.ones(3).to(torch_xla.device())
print(x.sum().item())
