import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Sequential(nn.Embedding(100, 8), nn.Linear(8, 100)).to(device)


@torch.no_grad()
def generate(token, end, max_new_tokens):
    for n in range(max_new_tokens):
        token = model(token).argmax(-1)
        torch_xla.sync()
        if (token == end).all().item():
            break
    return token
