"""Pretrain a small RoBERTa: a transformer that guesses words that are masked.

    python train.py                     # on made-up sentences, nothing to download
    python train.py --dim 256 --layers 4 --epochs 10
"""

import argparse
import math
import random
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

BOS, PAD, EOS, MASK = 0, 1, 2, 3
SPECIAL = 4

SUBJECTS = ["fox", "sailor", "raven", "gardener", "child", "painter"]
PLACES = ["river", "harbour", "garden", "tower", "winter", "meadow"]
VERBS = {"fox": "hunts", "sailor": "sails", "raven": "circles", "gardener": "plants", "child": "plays", "painter": "paints"}
ADJECTIVES = {"river": "wide", "harbour": "grey", "garden": "green", "tower": "old", "winter": "long", "meadow": "quiet"}
WORDS = sorted({*SUBJECTS, *PLACES, *VERBS.values(), *ADJECTIVES.values(), "the", "in", "and", "a"})
VOCAB = {word: i + SPECIAL for i, word in enumerate(WORDS)}


class Sentences(Dataset):
    """Made-up sentences, in which each word tells something of the others. All are padded to one length."""

    def __init__(self, size, length, seed):
        rng = random.Random(seed)
        self.items = [self.make(rng, length) for _ in range(size)]

    def make(self, rng, length):
        words = []
        for _ in range(rng.randint(1, 3)):
            subject, place = rng.choice(SUBJECTS), rng.choice(PLACES)
            words += ["and"] if words else []
            words += ["the", subject, VERBS[subject], "in", "a", ADJECTIVES[place], place]
        tokens = [BOS, *(VOCAB[word] for word in words), EOS][:length]
        return torch.tensor(tokens + [PAD] * (length - len(tokens)))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        tokens = self.items[index]
        # What is masked differs from epoch to epoch: RoBERTa's dynamic masking.
        return tokens, torch.rand(len(tokens)), torch.randint(SPECIAL, SPECIAL + len(VOCAB), (len(tokens),))


class Attention(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.heads = heads
        self.dropout = nn.Dropout(dropout)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x, padding):
        batch, length, dim = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, dim // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / math.sqrt(dim // self.heads)
        if padding is not None and padding.any():
            scores = scores.masked_fill(padding[:, None, None, :], float("-inf"))
        weights = self.dropout(scores.softmax(dim=-1))
        return self.out((weights @ v).transpose(1, 2).reshape(batch, length, dim))


class Layer(nn.Module):
    def __init__(self, dim, heads, dropout):
        super().__init__()
        self.attention = Attention(dim, heads, dropout)
        self.norm1 = nn.LayerNorm(dim)
        self.fc1 = nn.Linear(dim, 4 * dim)
        self.fc2 = nn.Linear(4 * dim, dim)
        self.norm2 = nn.LayerNorm(dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, padding):
        x = x + self.dropout(self.attention(self.norm1(x), padding))
        return x + self.dropout(self.fc2(F.gelu(self.fc1(self.norm2(x)))))


class LMHead(nn.Module):
    """Scores for all words, with the weights of the embedding."""

    def __init__(self, dim, size, weight):
        super().__init__()
        self.dense = nn.Linear(dim, dim)
        self.layer_norm = nn.LayerNorm(dim)
        self.weight = weight
        self.bias = nn.Parameter(torch.zeros(size))

    def forward(self, features):
        x = self.layer_norm(F.gelu(self.dense(features)))
        return F.linear(x, self.weight) + self.bias


class Roberta(nn.Module):
    def __init__(self, size, length, dim, layers, heads, dropout):
        super().__init__()
        self.tokens = nn.Embedding(size, dim, padding_idx=PAD)
        self.positions = nn.Embedding(length, dim)
        self.norm = nn.LayerNorm(dim)
        self.layers = nn.ModuleList(Layer(dim, heads, dropout) for _ in range(layers))
        nn.init.normal_(self.tokens.weight, std=0.1)
        nn.init.normal_(self.positions.weight, std=0.1)
        self.lm_head = LMHead(dim, size, self.tokens.weight)

    def forward(self, tokens):
        padding = tokens == PAD
        x = self.tokens(tokens) + self.positions(torch.arange(tokens.size(1), device=tokens.device))
        for layer in self.layers:
            x = layer(x, padding)
        return self.norm(x)


def mask_tokens(tokens, noise, words, probability):
    """80 % of the chosen words are masked, 10 % are others, 10 % stay as they are."""
    labels = tokens.clone()
    chosen = (noise < probability) & (tokens >= SPECIAL)
    labels[~chosen] = -100
    inputs = tokens.clone()
    inputs[chosen & (noise < 0.8 * probability)] = MASK
    swapped = chosen & (noise >= 0.9 * probability)
    inputs[swapped] = words[swapped]
    return inputs, labels


def train(model, loader, optimizer, scheduler, device, epoch, args):
    model.train()
    total, steps = 0.0, 0
    for step, (tokens, noise, words) in enumerate(loader):
        tokens = tokens.cuda(non_blocking=True) if device.type == "cuda" else tokens
        noise, words = noise.to(device), words.to(device)
        inputs, labels = mask_tokens(tokens, noise, words, args.mask_probability)

        hidden = model(inputs)
        masked = labels != -100
        # The head is large: it sees the masked positions only.
        logits = model.lm_head(hidden[masked])
        loss = F.cross_entropy(logits, labels[masked])

        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
        scheduler.step()
        total += loss.item()
        steps += 1
        if step % args.log_interval == 0:
            print(f"epoch {epoch} step {step}: loss {loss.item():.4f}")
    return total / steps


@torch.no_grad()
def evaluate(model, loader, device, args):
    model.eval()
    right, count, total = 0, 0, 0.0
    for tokens, noise, words in loader:
        tokens, noise, words = tokens.to(device), noise.to(device), words.to(device)
        inputs, labels = mask_tokens(tokens, noise, words, args.mask_probability)
        logits = model.lm_head(model(inputs))
        masked = labels != -100
        right += logits.argmax(dim=-1).eq(labels).masked_select(masked).sum().item()
        count += masked.sum().item()
        total += F.cross_entropy(logits.transpose(1, 2), labels, reduction="sum").item()
    return total / count, right / count


def main():
    parser = argparse.ArgumentParser(description="masked language model")
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--warmup", type=int, default=20)
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--dim", type=int, default=64)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--length", type=int, default=26)
    parser.add_argument("--mask-probability", type=float, default=0.15)
    parser.add_argument("--train-size", type=int, default=4096)
    parser.add_argument("--eval-size", type=int, default=512)
    parser.add_argument("--log-interval", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", help="file for the weights")
    args = parser.parse_args()

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(args.seed)
    torch.cuda.manual_seed_all(args.seed)

    train_data = Sentences(args.train_size, args.length, seed=1)
    eval_data = Sentences(args.eval_size, args.length, seed=2)
    train_loader = DataLoader(train_data, args.batch_size, shuffle=True, drop_last=True, pin_memory=True)
    eval_loader = DataLoader(eval_data, args.batch_size, drop_last=True, pin_memory=True)

    model = Roberta(SPECIAL + len(VOCAB), args.length, args.dim, args.layers, args.heads, args.dropout)
    model.to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, betas=(0.9, 0.98), weight_decay=0.01)
    steps = args.epochs * len(train_loader)
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / args.warmup, max(0.0, (steps - step) / max(1, steps - args.warmup)))
    )

    for epoch in range(args.epochs):
        start = time.time()
        loss = train(model, train_loader, optimizer, scheduler, device, epoch, args)
        eval_loss, accuracy = evaluate(model, eval_loader, device, args)
        print(f"epoch {epoch}: train {loss:.4f} val {eval_loss:.4f} accuracy {accuracy:.3f} {time.time() - start:.1f} s")
    if args.output:
        torch.save(model.state_dict(), args.output)


if __name__ == "__main__":
    main()
