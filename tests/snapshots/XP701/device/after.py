import torch

device = torch.device("cuda")
state = torch.load("model.pt", map_location="cpu")
