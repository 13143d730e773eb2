import argparse

import torch
from torch import nn
from torch.nn.functional import embedding
from torch.optim import SparseAdam

args = argparse.Namespace(sparse=True)


class Words(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.context = nn.Embedding(
            words,
            16,
            sparse=True,  # few rows change in a step
        )
        self.center = nn.Embedding(words, 16, sparse=args.sparse)
        self.other = nn.Embedding.from_pretrained(torch.zeros(words, 16), freeze=False, sparse=True)

    def forward(self, ids):
        return self.context(ids) + embedding(ids, self.center.weight, sparse=True) + self.other(ids)


model = Words(1000).to("cuda")
optimizer = SparseAdam(list(model.parameters()), lr=0.01)
second = torch.optim.SparseAdam(model.parameters())
