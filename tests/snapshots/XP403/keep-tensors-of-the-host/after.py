import torch
from torch import nn

device = torch.device("cuda")
model = nn.Sequential(nn.Embedding(100, 8), nn.Linear(8, 100)).to(device)


@torch.no_grad()
def generate(token, end, limit):
    done = torch.zeros(4, dtype=torch.bool)
    for n in range(limit):
        token = model(token).argmax(-1)
        if done.all():
            break
    return token
