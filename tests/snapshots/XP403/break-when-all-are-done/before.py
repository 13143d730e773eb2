import torch
from torch import nn

device = torch.device("cuda")
model = nn.Sequential(nn.Embedding(100, 8), nn.Linear(8, 100)).to(device)


@torch.no_grad()
def generate(token, end, max_new_tokens):
    done = torch.zeros(4, dtype=torch.bool, device=device)
    for n in range(max_new_tokens):
        token = model(token).argmax(-1)
        done = done | (token == end)
        if done.all():
            break
    return token
