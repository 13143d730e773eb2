import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(8, 100)
        self.loss = nn.CrossEntropyLoss()

    def forward(self, hidden, labels, other):
        scores = self.score(self.chosen(hidden, labels))
        apart = self.chosen(hidden, other)
        places = (labels.view(-1) > 0).nonzero().view(-1)
        kept = labels.view(-1).index_select(0, places)
        return self.loss(scores, kept) + apart.mean() + self.local(hidden)

    def chosen(self, hidden, targets):
        places = (targets > 0).view(-1).nonzero().view(-1)
        return hidden.flatten(0, 1).index_select(0, places)

    def local(self, hidden):
        labels = hidden[:, :, 0]
        places = (labels.view(-1) > 0).nonzero().view(-1)
        return hidden.flatten(0, 1).index_select(0, places).sum()


Head().cuda()
