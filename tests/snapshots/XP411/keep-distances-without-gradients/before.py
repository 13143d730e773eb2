import torch
from torch import nn


class Nearest(nn.Module):
    def __init__(self):
        super().__init__()
        self.edges = nn.Embedding(16, 8)
        self.limits = torch.linspace(0, 9, 15)

    def forward(self, x, y):
        far = torch.cdist(x, y, p=2)
        scaled = far.clamp(max=9.0) / 2
        close = (scaled < 1).float()
        nearest = torch.cdist(x, y).topk(4, largest=False).indices
        _, second = torch.sort(torch.cdist(x, y), dim=-1)
        order = torch.cdist(x, y).max(-1)[1]
        fixed = x.detach() * 2
        weights = torch.cdist(fixed, y.data).softmax(-1)
        return self.edges(far.argmin(-1)), close, nearest, second, order, weights


model = Nearest().cuda()
