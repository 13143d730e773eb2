import torch
import torch_xla

memory = torch.cuda.get_device_properties(0).total_memory
print(memory, torch.ones(3).to(torch_xla.device()).sum().item())
