import torch
from torch import nn

device = torch.device("cuda")
model = nn.Sequential(nn.Embedding(100, 8), nn.Linear(8, 100)).to(device)


@torch.no_grad()
def generate(token, end):
    done = torch.zeros(4, dtype=torch.bool, device=device)
    while not done.all():
        token = model(token).argmax(-1)
        done |= token == end
    return token
