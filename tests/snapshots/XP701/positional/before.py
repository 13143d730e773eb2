import torch

state = torch.load("model.pt", "cuda")
other = torch.load("model.pt", torch.device("cuda:0"), weights_only=True)
