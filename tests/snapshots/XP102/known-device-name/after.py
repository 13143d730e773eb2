import torch

device = torch.device("cuda")
x = torch.zeros(3).to(device)
