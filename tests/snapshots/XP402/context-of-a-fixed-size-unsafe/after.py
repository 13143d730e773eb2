"""Loops that generate with a context that only a causal model gets."""

import torch
import torch.nn.functional as F
import torch_xla
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
            logits, loss = self.head(x), None
        return logits, loss

    @torch.no_grad()
    def generate(self, idx, max_new_tokens, temperature=1.0):
        length = torch.tensor([idx.size(1)], device=idx.device)  # what is written of idx
        places = torch.arange(min(self.block_size, idx.size(1) + max_new_tokens - 1), device=idx.device)
        idx = torch.cat((idx, idx.new_zeros(idx.size(0), max_new_tokens)), dim=1)
        torch_xla.sync()
        for _ in range(max_new_tokens):
            # no more than the model can take
            first = (length - self.block_size).clamp(min=0)
            idx_cond = idx.index_select(1, first + places)
            logits, _ = self(idx_cond)
            logits = logits.index_select(1, length - first - 1)[:, -1, :] / temperature
            probs = F.softmax(logits, dim=-1)
            idx_next = torch.multinomial(probs, num_samples=1)
            idx, length = idx.index_copy(1, length, idx_next), length + 1  # and on
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
    length = torch.tensor([idx.size(1)], device=idx.device)  # what is written of idx
    idx = torch.cat((idx, idx.new_zeros(idx.size(0), len(range(2, count)))), dim=1)
    torch_xla.sync()
    for _ in tqdm(range(2, count)):
        token = model(idx[:, :-1]).index_select(1, length - 1)[:, -1].argmax(-1, keepdim=True)
        idx, length = idx.index_copy(1, length, token), length + 1
        if (token == end).all():
            break
    idx = idx.narrow(1, 0, int(length))
    return idx


@torch.no_grad()
def in_branches(idx, count, size):
    length = torch.tensor([idx.size(1)], device=idx.device)  # what is written of idx
    places = torch.arange(min(size - 1, idx.size(1) + count - 1), device=idx.device)
    idx = torch.cat((idx, idx.new_zeros(idx.size(0), count)), dim=1)
    torch_xla.sync()
    for step in range(count):
        first = (length - (size - 1)).clamp(min=0)
        window = idx.index_select(1, first + places)
        probs = torch.softmax(flash(window).float(), dim=-1)
        _, token = torch.topk(probs.index_select(1, length - first - 1)[:, -1], k=1, dim=-1)
        idx, length = idx.index_copy(1, length, token), length + 1
        print(step, idx.index_select(1, length - 1)[0, -1].item())
    return idx


def choose(logits, greedy):
    if greedy:
        return logits.argmax(-1).unsqueeze(-1)
    return torch.multinomial(logits.softmax(-1), 1)


def under_no_grad(idx, count):
    length = torch.tensor([idx.size(1)], device=idx.device)  # what is written of idx
    idx = torch.cat((idx, idx.new_zeros(idx.size(0), count)), dim=1)
    torch_xla.sync()
    for _ in range(count):
        with torch.no_grad():
            logits = flash(idx[:, :-1])
            token = choose(logits.index_select(1, length - 1)[:, -1, :], True)
            idx, length = idx.index_copy(1, length, token), length + 1
        if token.item() == 3:
            break
    idx = idx.narrow(1, 0, int(length))
    return idx


@torch.no_grad()
def until(idx, most):
    missing = max(most + 1 - idx.size(1), 0)
    length = torch.tensor([idx.size(1)], device=idx.device)  # what is written of idx
    places = torch.arange(min(8, idx.size(1) + missing - 1), device=idx.device)
    idx = torch.cat((idx, idx.new_zeros(idx.size(0), missing)), dim=1)
    torch_xla.sync()
    for _ in range(missing):
        first = (length - 8).clamp(min=0)
        window = idx.index_select(1, first + places)
        idx, length = idx.index_copy(1, length, flash(window).index_select(1, length - first - 1)[:, -1].argmax(-1, keepdim=True)), length + 1
    return idx


start = torch.zeros((1, 1), dtype=torch.long).cuda()
logits, loss = model(start, start)
print(model.generate(start, 100))
print(sample(flash, start, 20, 3), in_branches(start, 100, 8), under_no_grad(start, 8), until(start, 9))
