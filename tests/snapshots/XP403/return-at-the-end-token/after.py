import torch
from torch import nn

device = torch.device("cuda")
model = nn.Sequential(nn.Embedding(100, 8), nn.Linear(8, 100)).to(device)


@torch.no_grad()
def generate(token, end, max_new_tokens):
    for _ in range(max_new_tokens):
        token = model(token).argmax(-1)
        if token == end:
            return token
    return None
