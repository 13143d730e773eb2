import random

import torch
from torch import nn


class Windows(nn.Module):
    def forward(self, x):
        frames, hop = 3, 2
        first = random.randint(0, 9)
        place = first * hop
        return x[:, :, place : (first + frames) * hop]


model = Windows().cuda()
for batch in torch.utils.data.DataLoader(torch.zeros(8, 4, 99)):
    model(batch.cuda())
