import os

import torch
from torch import nn

RANK = int(os.getenv("RANK", -1))


def train():
    model = nn.Linear(4, 2)
    model.to(torch.device("cuda"))

    # the steps
    for _ in range(3):
        model(torch.randn(8, 4, device="cuda")).sum().backward()


train()
