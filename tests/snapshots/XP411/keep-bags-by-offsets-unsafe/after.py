import torch
import torch.nn.functional as F
from torch import nn


class Tables(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.EmbeddingBag(10, 4, mode="sum")
        self.many = nn.ModuleList(nn.EmbeddingBag(n, 4, mode="sum") for n in (10, 20))
        self.weight = nn.Parameter(torch.zeros(10, 4))

    def forward(self, indices, offsets):
        total = self.one(indices[0], offsets[0])
        for k, starts in enumerate(offsets):
            table = self.many[k]
            total = total + table(indices[k], starts)
        return total + F.embedding_bag(indices[0], self.weight, offsets[0], mode="sum")


def train(loader):
    model = Tables().cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for indices, offsets in loader:
        loss = model(indices, offsets).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
