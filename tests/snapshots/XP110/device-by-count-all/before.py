import torch

device = "cuda" if torch.cuda.device_count() else "cpu"
x = torch.zeros(1, device=device)
