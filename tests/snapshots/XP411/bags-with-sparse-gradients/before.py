import torch
import torch.nn.functional as F
from torch import nn


class Tables(nn.Module):
    def __init__(self, is_sparse):
        super().__init__()
        self.one = nn.EmbeddingBag(10, 4, mode="sum", sparse=True)
        self.two = nn.EmbeddingBag(10, 4, mode="mean", sparse=is_sparse)
        self.three = nn.EmbeddingBag(10, 4, sparse=False)
        self.weight = nn.Parameter(torch.zeros(10, 4))

    def forward(self, indices):
        total = self.one(indices[0]) + self.two(indices[0]) + self.three(indices[0])
        return total + F.embedding_bag(indices[0], self.weight, mode="sum", sparse=True)


def train(loader):
    model = Tables(True).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for indices in loader:
        loss = model(indices).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
