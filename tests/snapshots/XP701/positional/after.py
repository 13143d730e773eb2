import torch

state = torch.load("model.pt", "cpu")
other = torch.load("model.pt", "cpu", weights_only=True)
