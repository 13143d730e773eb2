import torch

for i in range(2):
    p = torch.cuda.get_device_properties(i)
    print(f"CUDA:{i} ({p.name}, {p.total_memory / (1 << 20):.0f}MiB)")
total = torch.cuda.get_device_properties(0).total_memory
