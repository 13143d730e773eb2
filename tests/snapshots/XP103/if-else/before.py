import torch

if torch.cuda.is_available():
    device = "cuda"
else:
    device = "cpu"
x = torch.zeros(3).to(device)
