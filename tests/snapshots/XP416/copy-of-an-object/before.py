"""copy.copy() of what a layer gets, which is an object with a tensor in it; and of a tensor."""

import copy

import torch
from torch import nn


class Views(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, graph, x):
        graph = copy.copy(graph)
        if graph.view == "residue":
            graph.input = self.layer(x)
        return graph


class Kept(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        kept = copy.copy(x)
        kept.zero_()
        return self.layer(x.reshape(-1, 4))


views, kept = Views().cuda(), Kept().cuda()
