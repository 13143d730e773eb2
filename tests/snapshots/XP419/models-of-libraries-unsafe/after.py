import torch
from dgl.nn import DeepWalk
from torch import nn
from torch_geometric import nn as pyg
from torch_geometric.nn import Node2Vec

from tables import Table

device = torch.device("cuda")


class Own(nn.Module):
    def __init__(self, words, sparse=False):
        super().__init__()
        self.table = nn.Embedding(words, 8, sparse=sparse)


def walks(edges):
    model = Node2Vec(edges, 64, walk_length=20, context_size=10).to(device)
    return model, torch.optim.Adam(list(model.parameters()), lr=0.1)


def relations(count):
    model = pyg.TransE(count, 4, hidden_channels=32)
    return torch.optim.Adagrad(model.to(device).parameters())


def deep(graph):
    model = DeepWalk(graph, walk_length=30, sparse=False)
    model = model.to(device)
    return torch.optim.Adam(model.parameters())


def shallow(graph):
    return DeepWalk(graph, sparse=False), DeepWalk(graph, sparse=False), Node2Vec(graph, 64)


def tables():
    table = Table(100, 8, sparse=False).cuda()
    own = Own(100, sparse=False).cuda()
    return torch.optim.Adam([*table.parameters(), *own.parameters()])


def of_others(model):
    return torch.optim.Adam(model.parameters())
