import torch
from torch import nn

device = torch.device("cuda")
model = nn.Sequential(nn.Embedding(100, 8), nn.Linear(8, 100)).to(device)


import numpy as np


@torch.no_grad()
def generate(token, end, max_new_tokens):
    done = np.zeros(4, dtype=bool)
    for n in range(max_new_tokens):
        token = model(token).argmax(-1)
        done = np.logical_or(done, n > 3)
        if done.all():
            break
    return token
