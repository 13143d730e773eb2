"""A transformer with an encoder and a decoder, in which padding is masked."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(dim, dim)
        self.key = nn.Linear(dim, dim)
        self.value = nn.Linear(dim, dim)
        self.out = nn.Linear(dim, dim)
        self.dropout = nn.Dropout(dropout)

    def split(self, x):
        return x.view(x.size(0), x.size(1), self.heads, -1).transpose(1, 2)

    def forward(self, x, memory, hidden):
        """`hidden` says which places of the memory may not be seen."""
        query, key, value = self.split(self.query(x)), self.split(self.key(memory)), self.split(self.value(memory))
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
        scores = scores.masked_fill(hidden, float("-inf"))
        weights = self.dropout(F.softmax(scores, dim=-1))
        return self.out((weights @ value).transpose(1, 2).reshape(x.shape))


class Layer(nn.Module):
    def __init__(self, dim, heads, dropout, decodes=False):
        super().__init__()
        self.attention = Attention(dim, heads, dropout)
        self.norm = nn.LayerNorm(dim)
        if decodes:
            self.cross = Attention(dim, heads, dropout)
            self.cross_norm = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.ReLU(), nn.Dropout(dropout), nn.Linear(4 * dim, dim))
        self.mlp_norm = nn.LayerNorm(dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, hidden, memory=None, memory_hidden=None):
        x = self.norm(x + self.dropout(self.attention(x, x, hidden)))
        if memory is not None:
            x = self.cross_norm(x + self.dropout(self.cross(x, memory, memory_hidden)))
        return self.mlp_norm(x + self.dropout(self.mlp(x)))


class Seq2Seq(nn.Module):
    def __init__(self, sources, targets, pad, dim=64, heads=4, layers=2, dropout=0.1, max_length=256):
        super().__init__()
        self.pad = pad
        self.embed_source = embedding(sources, dim, pad)
        self.embed_target = embedding(targets, dim, pad)
        self.register_buffer("positions", sinusoids(max_length, dim), persistent=False)
        self.encoder = nn.ModuleList(Layer(dim, heads, dropout) for _ in range(layers))
        self.decoder = nn.ModuleList(Layer(dim, heads, dropout, decodes=True) for _ in range(layers))
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(dim, targets)

    def embed(self, table, ids):
        return self.dropout(table(ids) * math.sqrt(table.embedding_dim) + self.positions[: ids.size(1)])

    def forward(self, source, target):
        hidden = (source == self.pad)[:, None, None, :]
        memory = self.embed(self.embed_source, source)
        for layer in self.encoder:
            memory = layer(memory, hidden)

        length = target.size(1)
        future = torch.ones(length, length, dtype=torch.bool, device=target.device).triu(1)
        seen = future | (target == self.pad)[:, None, None, :]
        x = self.embed(self.embed_target, target)
        for layer in self.decoder:
            x = layer(x, seen, memory, hidden)
        return self.out(x)


def embedding(count, dim, pad):
    table = nn.Embedding(count, dim, padding_idx=pad)
    nn.init.normal_(table.weight, std=dim**-0.5)
    nn.init.constant_(table.weight[pad], 0.0)
    return table


def sinusoids(length, dim):
    place = torch.arange(length)[:, None]
    rate = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
    table = torch.zeros(length, dim)
    table[:, 0::2] = torch.sin(place * rate)
    table[:, 1::2] = torch.cos(place * rate)
    return table
