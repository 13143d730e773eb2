import torch

state = torch.load("a.pt", map_location="cpu")
other = torch.load("b.pt", "cpu")
