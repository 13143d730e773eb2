import torch

device = torch.device("cuda")
first = torch.jit.load("scripted.pt").to(device)
second = torch.jit.load("scripted.pt", map_location=device)
third = torch.jit.load("scripted.pt", map_location="cpu")
third.to(device)
fourth = torch.jit.load("scripted.pt")
