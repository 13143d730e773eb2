import torch
from torch import nn

device = torch.device("cuda")
model = nn.Sequential(nn.Embedding(100, 8), nn.Linear(8, 100)).to(device)


@torch.no_grad()
def decode(token, end, words):
    tokens = model(token).argmax(-1)
    found = []
    for number in tokens.tolist():
        if number == end:
            break
        found.append(words[number])
    for entry in tokens:
        if entry == end:
            break
        found.append(words[int(entry)])
    return found
