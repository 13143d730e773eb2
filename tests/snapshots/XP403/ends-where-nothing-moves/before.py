import torch
from torch import nn

model = nn.Linear(8, 8).cuda()


@torch.no_grad()
def settle(x):
    for i in range(50):
        after = model(x)
        moved = (after - x).abs() > 1e-3
        if moved.any():
            x = after
        else:
            break
    print("settled after", i)
    return x


@torch.no_grad()
def clean(boxes):
    scores = model(boxes)
    while True:
        small = scores.sum(-1) < 0.1
        if small.any():
            scores = scores[~small]
        else:
            break
    return scores
