import torch

for device in ["cpu", "cuda"]:
    print(torch.zeros(3, device=device))
