import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.zeros(3).to(device)
