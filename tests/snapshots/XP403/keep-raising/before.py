import torch
from torch import nn

device = torch.device("cuda")
model = nn.Sequential(nn.Embedding(100, 8), nn.Linear(8, 100)).to(device)


@torch.no_grad()
def check(token, limit):
    for n in range(limit):
        token = model(token)
        if token.isnan().any():
            raise ValueError("not a number")
        if token.max() > 3:
            continue
        token = token + 1
    if token.sum() > 3:
        return None
    return token
