import torch
from torch import nn

device = torch.device("cuda")
model = nn.Sequential(nn.Embedding(100, 8), nn.Linear(8, 100)).to(device)


@torch.no_grad()
def generate(token, limit, patience, best):
    n = 0
    while n < limit:
        token = model(token).argmax(-1)
        n += 1
        if patience == 0 or n > len(token):
            break
        if token.size(0) == 3:
            break
    return token
