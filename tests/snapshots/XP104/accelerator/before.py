import torch

if torch.accelerator.is_available():
    print("yes")
