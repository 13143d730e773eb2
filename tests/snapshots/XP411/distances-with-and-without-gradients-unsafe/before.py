import torch
from torch import nn


class Matcher(nn.Module):
    @torch.no_grad()
    def forward(self, boxes, targets):
        return torch.cdist(boxes, targets, p=1).argmin(-1)


class Energy(nn.Module):
    def forward(self, x, y):
        return torch.cdist(x, y, p=1).mean() + torch.cdist(x, y).mean()


model = Energy().cuda()
