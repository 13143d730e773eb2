import torch

a = torch.load("model.pt", map_location="cpu")
b = torch.load("model.pt", map_location=torch.device("cpu"))
cpu = torch.device("cpu")
c = torch.load("model.pt", map_location=cpu)
