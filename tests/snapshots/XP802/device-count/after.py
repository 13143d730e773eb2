import torch

if torch.cuda.device_count() > 1:
    print("parallel")
