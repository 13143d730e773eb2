import argparse

import torch
from torch import nn
from torch.nn.functional import embedding

args = argparse.Namespace(sparse=True)


class Words(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.context = nn.Embedding(
            words,
            16,
        )
        self.center = nn.Embedding(words, 16, sparse=args.sparse)
        self.other = nn.Embedding.from_pretrained(torch.zeros(words, 16), freeze=False)

    def forward(self, ids):
        return self.context(ids) + embedding(ids, self.center.weight) + self.other(ids)


model = Words(1000).to("cuda")
optimizer = torch.optim.Adam(list(model.parameters()), lr=0.01)
second = torch.optim.Adam(model.parameters())
