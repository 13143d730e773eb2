import torch
import torch_xla

print("devices:", torch.cuda.device_count())
x = torch.ones(3).to(torch_xla.device())
print(x.sum().item())
