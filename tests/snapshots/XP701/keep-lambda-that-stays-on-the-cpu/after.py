import torch

a = torch.load("model.pt", map_location=lambda storage, loc: storage)
b = torch.load("model.pt", map_location={"cuda:0": "cpu"})
