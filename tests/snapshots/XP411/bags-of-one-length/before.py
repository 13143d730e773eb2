import torch
import torch.nn.functional as F
from torch import nn


class Tables(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.EmbeddingBag(10, 4, mode="sum")
        self.many = nn.ModuleList(nn.EmbeddingBag(n, 4, mode="sum") for n in (10, 20))
        self.weight = nn.Parameter(torch.zeros(10, 4))

    def forward(self, indices):
        total = self.one(indices[0])
        for table, ids in zip(self.many, indices):
            total = total + table(ids)
        return total + F.embedding_bag(indices[0], self.weight, mode="sum")


def train(loader):
    model = Tables().cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for indices in loader:
        loss = model(indices).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
