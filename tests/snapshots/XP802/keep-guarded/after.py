import torch

if torch.cuda.is_available():
    print(torch.cuda.get_device_name(0))
ok = torch.cuda.is_available() and torch.cuda.get_device_capability()[0] >= 8
