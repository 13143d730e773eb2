"""Contexts that are used in another way, and models that are not causal."""

import torch
import torch.nn.functional as F
from torch import nn


class Causal(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(64, 16)
        self.rnn = nn.GRU(16, 64, batch_first=True)

    def forward(self, idx, mask=None):
        return self.rnn(self.embed(idx))[0]


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(64, 16)
        self.attention = nn.MultiheadAttention(16, 2, batch_first=True)
        self.head = nn.Linear(16, 64)

    def forward(self, idx):
        x = self.embed(idx)
        return self.head(self.attention(x, x, x)[0])


class Ways(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(64, 16)
        self.rnn = nn.LSTM(16, 32, bidirectional=True, batch_first=True)

    def forward(self, idx):
        return self.rnn(self.embed(idx))[0]


class Pooled(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(64, 16)
        self.register_buffer("mask", torch.tril(torch.ones(8, 8)))

    def forward(self, idx):
        x = self.embed(idx)
        return x + x.mean(1, keepdim=True)


class Last(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(64, 64)

    def forward(self, idx):
        return self.embed(idx)[:, [-1]]


causal, both, ways, pooled, last = Causal().cuda(), Both().cuda(), Ways().cuda(), Pooled().cuda(), Last().cuda()
print(last(torch.zeros((1, 4), dtype=torch.long).cuda()).size())


@torch.no_grad()
def not_causal(idx, count, unknown):
    for model in (both, ways, pooled):
        ...
    a = b = c = d = idx
    for _ in range(count):
        a = torch.cat((a, both(a)[:, -1].argmax(-1, keepdim=True)), dim=1)
    for _ in range(count):
        b = torch.cat((b, ways(b)[:, -1].argmax(-1, keepdim=True)), dim=1)
    for _ in range(count):
        c = torch.cat((c, pooled(c)[:, -1].argmax(-1, keepdim=True)), dim=1)
    for _ in range(count):
        d = torch.cat((d, last(d)[:, -1].argmax(-1, keepdim=True)), dim=1)
    return a, b, c, d


@torch.no_grad()
def shown(idx, count):
    for _ in range(count):
        token = causal(idx)[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat((idx, token), dim=1)
        print(idx.tolist())
    return idx


@torch.no_grad()
def of_its_size(idx, count):
    for _ in range(count):
        token = causal(idx)[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat((idx, token), dim=1)
        if idx.size(1) > 99:
            break
    return idx


@torch.no_grad()
def reordered(idx, count):
    for _ in range(count):
        token = causal(idx)[:, -1].argmax(-1, keepdim=True)
        idx = idx[torch.randperm(4)]
        idx = torch.cat((idx, token), dim=1)
    return idx


@torch.no_grad()
def masked(idx, mask, count):
    for _ in range(count):
        token = causal(idx, mask)[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat((idx, token), dim=1)
        mask = torch.cat((mask, mask[:, :1]), dim=1)
    return idx


@torch.no_grad()
def all_places(idx, count):
    for _ in range(count):
        logits = causal(idx)
        scores = F.log_softmax(logits, dim=1)
        token = scores[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat((idx, token), dim=1)
    return idx, logits


@torch.no_grad()
def before(idx, count):
    for _ in range(count):
        token = causal(idx)[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat((token, idx), dim=1)
    return idx


@torch.no_grad()
def now_and_then(idx, count):
    for n in range(count):
        token = causal(idx)[:, -1].argmax(-1, keepdim=True)
        if n % 2:
            idx = torch.cat((idx, token), dim=1)
    return idx


@torch.no_grad()
def by_the_end(idx, end):
    while True:
        token = causal(idx)[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat((idx, token), dim=1)
        if token.item() == end:
            return idx


@torch.no_grad()
def until_it_is_long(idx, most):
    while idx.size(1) < most:
        token = causal(idx)[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat((idx, token), dim=1)
        most = most - 1
    while idx.size(1) < 20 and most:
        token = causal(idx)[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat((idx, token), dim=1)
    return idx


@torch.no_grad()
def a_window_that_moves(idx, count):
    for n in range(count):
        token = causal(idx[:, -n:])[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat((idx, token), dim=1)
    return idx


@torch.no_grad()
def a_smaller_window(idx, count, size):
    for _ in range(count):
        window = idx if idx.size(1) <= 2 * size else idx[:, -size:]
        token = causal(window)[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat((idx, token), dim=1)
    return idx


@torch.no_grad()
def out_of_sight(idx, count, model):
    for _ in range(count):
        token = model(idx)[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat((idx, token), dim=1)
    return idx


start = torch.zeros((1, 1), dtype=torch.long).cuda()
not_causal(start, 8, None), shown(start, 8), of_its_size(start, 8), reordered(start, 8), masked(start, start, 8)
all_places(start, 8), before(start, 8), now_and_then(start, 8), by_the_end(start, 8), a_window_that_moves(start, 8)
a_smaller_window(start, 8, 8), until_it_is_long(start, 8)
