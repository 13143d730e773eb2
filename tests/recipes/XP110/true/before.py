import torch
import torch_xla

x = torch.ones(3).to(torch_xla.device())
if torch.cuda.device_count() == 0:
    name = "none"
else:
    name = torch.cuda.get_device_capability()
print(x.sum().item(), name)
