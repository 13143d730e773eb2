import torch
import torch_xla

device = torch_xla.device()
count = torch.cuda.device_count()
devices = [torch.cuda.get_device_properties(i) for i in range(count)]
for i in range(count):
    print(i, devices[i].name)
print(torch.ones(2, device=device).sum().item())
