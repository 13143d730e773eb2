"""Loops that generate with a context that only a causal model gets."""

import torch
import torch.nn.functional as F
from torch import nn
from tqdm import tqdm


class Attention(nn.Module):
    def __init__(self, block_size):
        super().__init__()
        self.qkv = nn.Linear(16, 48)
        self.register_buffer("mask", torch.tril(torch.ones(block_size, block_size)))

    def forward(self, x):
        t = x.size(1)
        q, k, v = self.qkv(x).split(16, dim=2)
        scores = (q @ k.transpose(1, 2)).masked_fill(self.mask[:t, :t] == 0, float("-inf"))
        return F.softmax(scores, dim=-1) @ v


class GPT(nn.Module):
    def __init__(self, block_size):
        super().__init__()
        self.block_size = block_size
        self.embed = nn.Embedding(64, 16)
        self.blocks = nn.Sequential(*[Attention(block_size) for _ in range(2)])
        self.head = nn.Linear(16, 64)

    def forward(self, idx, targets=None):
        x = self.blocks(self.embed(idx))
        if targets is not None:
            logits = self.head(x)
            loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        else:
            logits, loss = self.head(x[:, [-1], :]), None
        return logits, loss

    @torch.no_grad()
    def generate(self, idx, max_new_tokens, temperature=1.0):
        for _ in range(max_new_tokens):
            # no more than the model can take
            idx_cond = idx if idx.size(1) <= self.block_size else idx[:, -self.block_size :]
            logits, _ = self(idx_cond)
            logits = logits[:, -1, :] / temperature
            probs = F.softmax(logits, dim=-1)
            idx_next = torch.multinomial(probs, num_samples=1)
            idx = torch.cat((idx, idx_next), dim=1)  # and on
        return idx


class Flash(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(64, 16)
        self.rnn = nn.LSTM(16, 16, batch_first=True)
        self.head = nn.Linear(16, 64)

    def forward(self, idx):
        x = self.embed(idx)
        x = x + F.scaled_dot_product_attention(x, x, x, is_causal=True)
        return self.head(self.rnn(x)[0])


model = GPT(32).cuda()
flash = Flash().cuda()


def sample(model, idx, count, end):
    """Without a window, in branches, with an end."""
    for _ in tqdm(range(2, count)):
        token = model(idx)[:, -1].argmax(-1, keepdim=True)
        idx = torch.cat([idx, token], -1)
        if (token == end).all():
            break
    return idx


@torch.no_grad()
def in_branches(idx, count, size):
    for step in range(count):
        if idx.shape[1] > size - 1:
            window = idx[:, -(size - 1) :]
        else:
            window = idx
        probs = torch.softmax(flash(window).float(), dim=-1)
        _, token = torch.topk(probs[:, -1], k=1, dim=-1)
        idx = torch.cat([idx, token], dim=1)
        print(step, idx[0, -1].item())
    return idx


def choose(logits, greedy):
    if greedy:
        return logits.argmax(-1).unsqueeze(-1)
    return torch.multinomial(logits.softmax(-1), 1)


def under_no_grad(idx, count):
    for _ in range(count):
        with torch.no_grad():
            logits = flash(idx)
            token = choose(logits[:, -1, :], True)
            idx = torch.cat([idx, token], dim=1)
        if token.item() == 3:
            break
    return idx


@torch.no_grad()
def until(idx, most):
    while idx.size(1) < most + 1:
        window = idx[:, -8:]
        idx = torch.cat([idx, flash(window)[:, -1].argmax(-1, keepdim=True)], dim=1)
    return idx


start = torch.zeros((1, 1), dtype=torch.long).cuda()
logits, loss = model(start, start)
print(model.generate(start, 100))
print(sample(flash, start, 20, 3), in_branches(start, 100, 8), under_no_grad(start, 8), until(start, 9))
