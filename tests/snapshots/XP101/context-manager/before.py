import torch

with torch.device("cuda"):
    x = torch.zeros(3)
