import torch

with torch.device("meta"):
    model = torch.nn.Linear(2, 2)
