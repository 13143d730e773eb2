import torch

if torch.cuda.is_available() and torch.cuda.device_count() > 1:
    print("many")
