import torch

print(f"running on {torch.device('cuda')}")
