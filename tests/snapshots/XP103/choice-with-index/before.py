import torch

device = "cuda:0" if torch.cuda.is_available() else "cpu"
x = torch.zeros(3).to(device)
