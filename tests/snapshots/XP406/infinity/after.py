import math

import torch
from torch import nn


class Scores(nn.Module):
    def forward(self, x):
        scores = x @ x.T
        mask = scores > 1
        scores.masked_fill_(mask, -torch.inf)
        others = x * 2
        others.masked_fill_(others < 0, math.inf)
        return scores, others


model = Scores().cuda()
