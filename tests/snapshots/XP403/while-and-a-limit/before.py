import torch
from torch import nn

device = torch.device("cuda")
model = nn.Sequential(nn.Embedding(100, 8), nn.Linear(8, 100)).to(device)


@torch.no_grad()
def generate(token, end, limit):
    n = 0
    while n < limit and (model(token).argmax(-1) != end).any():
        token = model(token).argmax(-1)
        n += 1
    return token
