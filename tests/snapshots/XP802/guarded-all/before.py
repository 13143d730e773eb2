import torch

if torch.cuda.is_available():
    print(torch.cuda.get_device_name(0))
n = torch.cuda.device_count() if torch.cuda.is_available() else 1
