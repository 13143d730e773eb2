import torch
import torch_xla

print(f"{torch.cuda.device_count()} GPUs")
x = torch.ones(3).to(torch_xla.device())
print(x.sum().item())
