import torch

weights = torch.load("model.pt", map_location="cpu")
torch.save({name: value for name, value in weights.items()}, "half.pt")
small = [value.half() for value in weights.values()]
