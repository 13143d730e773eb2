import torch

state = torch.load("model.pt", map_location="cuda" if torch.cuda.is_available() else "cpu")
