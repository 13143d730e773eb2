import torch
from torch import nn

device = torch.device("cuda")
model = nn.Sequential(nn.Embedding(100, 8), nn.Linear(8, 100)).to(device)


@torch.no_grad()
def search(tokens, limit, best):
    for token in tokens:
        out = model(token)
        if len(token) > limit:
            if out.max() > best:
                break
    return out
