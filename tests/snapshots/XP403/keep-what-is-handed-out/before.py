import torch
from torch import nn


def stream(tokens, end):
    model = nn.Sequential(nn.Embedding(10, 4), nn.Linear(4, 10)).cuda()
    tokens = tokens.cuda()
    with torch.no_grad():
        while True:
            token = model(tokens)[:, -1].argmax(-1, keepdim=True)
            if (token == end).all():
                break
            # Who takes it reads it.
            yield token
            tokens = torch.cat((tokens, token), 1)
