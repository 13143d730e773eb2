import torch
import torch_xla

dtype = torch.bfloat16 if torch.cuda.get_device_capability()[0] >= 8 else torch.float32
print(torch.ones(3).to(torch_xla.device(), dtype).sum().item())
