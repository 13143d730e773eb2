import torch

print(f"{torch.cuda.device_count()} GPUs")
