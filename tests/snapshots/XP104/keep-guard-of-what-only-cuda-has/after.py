import torch

if torch.cuda.is_available():
    print(torch.cuda.get_device_name(0))
fast = torch.cuda.is_available() and torch.cuda.get_device_capability()[0] >= 8
n_gpu = torch.cuda.device_count() if torch.cuda.is_available() else 1
