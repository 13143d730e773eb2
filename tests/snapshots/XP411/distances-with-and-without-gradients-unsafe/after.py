import torch
from torch import nn


class Matcher(nn.Module):
    @torch.no_grad()
    def forward(self, boxes, targets):
        return torch.cdist(boxes, targets, p=1).argmin(-1)


class Energy(nn.Module):
    def forward(self, x, y):
        return torch.linalg.vector_norm(x.unsqueeze(-2) - y.unsqueeze(-3), 1, dim=-1).mean() + torch.cdist(x, y).mean()


model = Energy().cuda()
