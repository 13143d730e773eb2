import torch

print(f"CUDA: {torch.cuda.is_available()}")
x = torch.zeros(1, device=f"{'cuda'}")
