import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
state = torch.load("model.pt", map_location=device)
