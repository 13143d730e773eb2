import torch

print(torch.cuda.get_device_name(0))
props = torch.cuda.get_device_properties("cuda")
print(f"{torch.cuda.max_memory_allocated() / 2**20:.0f} MB")
