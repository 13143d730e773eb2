import torch
from torch import nn


def tie(a, b):
    b.weight = a.weight


def tie_if(a, b, wanted=False):
    if not wanted:
        return
    b.weight = a.weight


words, scores = nn.Embedding(9, 4), nn.Linear(4, 9, bias=False)
tie(words, scores)
net = nn.Sequential(words, scores)
net.cuda()
net[1].weight = net[0].weight

again = nn.ModuleDict({"words": nn.Embedding(9, 4), "scores": nn.Linear(4, 9, bias=False)})
setattr(again["scores"], "weight", again["words"].weight)
again.cuda()
tie(again["words"], again["scores"])

apart = nn.ModuleList([nn.Embedding(9, 4), nn.Linear(4, 9, bias=False)])
tie_if(apart[0], apart[1])
apart.cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
