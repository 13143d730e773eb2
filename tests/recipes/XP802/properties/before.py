import torch
import torch_xla

is_large = torch.cuda.get_device_properties(0).total_memory > 8 * 2**30
print(is_large, torch.ones(3).to(torch_xla.device()).sum().item())
