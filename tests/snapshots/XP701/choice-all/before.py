import torch

state = torch.load("model.pt", map_location="cuda" if torch.cuda.is_available() else "cpu")
other = torch.load("model.pt", map_location=None if torch.cuda.is_available() else "cpu")
