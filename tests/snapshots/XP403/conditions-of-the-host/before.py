import torch
from torch import nn

model = nn.Linear(8, 8).cuda()
SPECIAL = (1, 2)


@torch.no_grad()
def speak(x, least):
    t = 0
    while True:
        x = model(x)
        done = torch.sigmoid(x)
        t += 1
        if (done > 0.5).all() and t > least:
            break
    return x


@torch.no_grad()
def answer(token, logits):
    sharp = logits.softmax(-1).max()
    for _ in range(20):
        token = model(token).argmax(-1, keepdim=True).float()
        if token.item() in SPECIAL:
            break
        if sharp == 1:
            break
    return token


answer(torch.zeros(8).cuda(), torch.zeros(8, device="cuda"))


@torch.no_grad()
def decode(memory, frames):
    outputs = []
    while True:
        memory = torch.relu(memory)
        memory = model(memory)
        outputs.append(memory)
        if (memory[:, -1] > 0.7).all():
            break
    return outputs
