import torch

weights = torch.load("model.pt")
weights = {name: value.half() for name, value in weights.items()}
torch.save(weights, "small.pt")
