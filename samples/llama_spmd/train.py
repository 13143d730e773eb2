"""Train a small decoder in the manner of Llama, whose weights `fully_shard` divides over the GPUs of a machine.

    torchrun --nproc_per_node=8 train.py             # one process for each GPU
    python train.py                                  # one process alone, made-up sentences, nothing to download
"""

import argparse
import os
import time

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import fully_shard
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.eps)


def rotate(x, cos, sin):
    left, right = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-right, left], dim=-1) * sin


class Attention(nn.Module):
    def __init__(self, dim, heads, kv_heads):
        super().__init__()
        self.heads, self.kv_heads, self.head_dim = heads, kv_heads, dim // heads
        self.wq = nn.Linear(dim, heads * self.head_dim, bias=False)
        self.wk = nn.Linear(dim, kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(dim, kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(heads * self.head_dim, dim, bias=False)

    def forward(self, x, cos, sin):
        batch, length, _ = x.shape
        q = self.wq(x).view(batch, length, self.heads, self.head_dim).transpose(1, 2)
        k = self.wk(x).view(batch, length, self.kv_heads, self.head_dim).transpose(1, 2)
        v = self.wv(x).view(batch, length, self.kv_heads, self.head_dim).transpose(1, 2)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        k = k.repeat_interleave(self.heads // self.kv_heads, dim=1)
        v = v.repeat_interleave(self.heads // self.kv_heads, dim=1)
        x = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.wo(x.transpose(1, 2).reshape(batch, length, -1))


class Block(nn.Module):
    def __init__(self, dim, heads, kv_heads):
        super().__init__()
        self.attention_norm = RMSNorm(dim)
        self.attention = Attention(dim, heads, kv_heads)
        self.mlp_norm = RMSNorm(dim)
        self.gate = nn.Linear(dim, 3 * dim, bias=False)
        self.up = nn.Linear(dim, 3 * dim, bias=False)
        self.down = nn.Linear(3 * dim, dim, bias=False)

    def forward(self, x, cos, sin):
        x = x + self.attention(self.attention_norm(x), cos, sin)
        y = self.mlp_norm(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Decoder(nn.Module):
    def __init__(self, vocabulary, length, dim, heads, kv_heads, layers):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, dim)
        self.layers = nn.ModuleList(Block(dim, heads, kv_heads) for _ in range(layers))
        self.norm = RMSNorm(dim)
        self.output = nn.Linear(dim, vocabulary, bias=False)
        half = dim // heads // 2
        angles = torch.arange(length).unsqueeze(1) * 10000.0 ** (-torch.arange(half) / half)
        self.register_buffer("cos", torch.cat([angles, angles], dim=-1).cos(), persistent=False)
        self.register_buffer("sin", torch.cat([angles, angles], dim=-1).sin(), persistent=False)

    def forward(self, tokens):
        x = self.embedding(tokens)
        cos, sin = self.cos[: tokens.size(1)], self.sin[: tokens.size(1)]
        for layer in self.layers:
            x = layer(x, cos, sin)
        return self.output(self.norm(x))


def make_sums(count, vocabulary, length, seed):
    """Sequences in which each token is the sum of the two before it, modulo the vocabulary."""
    rng = torch.Generator().manual_seed(seed)
    tokens = torch.randint(0, vocabulary, (count, length + 1), generator=rng)
    for place in range(2, length + 1):
        tokens[:, place] = (tokens[:, place - 1] + tokens[:, place - 2]) % vocabulary
    return tokens


def train_epoch(model, loader, optimizer, scheduler, device, args, epoch, rank):
    model.train()
    for step, (inputs, targets) in enumerate(loader):
        inputs = inputs.to(device, non_blocking=True)
        targets = targets.to(device, non_blocking=True)
        optimizer.zero_grad()
        logits = model(inputs)
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)
        optimizer.step()
        scheduler.step()
        if step % args.log_interval == 0 and rank == 0:
            print(f"epoch {epoch} | step {step:4d}/{len(loader)} | loss {loss.item():.4f}")


def parse_args():
    parser = argparse.ArgumentParser(description="A small decoder in the manner of Llama, with sharded weights")
    parser.add_argument("--train-size", type=int, default=2048)
    parser.add_argument("--vocabulary", type=int, default=16)
    parser.add_argument("--length", type=int, default=16)
    parser.add_argument("--batch-size", type=int, default=64, help="sequences for each GPU")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--max-grad-norm", type=float, default=1.0)
    parser.add_argument("--dim", type=int, default=64)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--kv-heads", type=int, default=2)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--log-interval", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", metavar="PATH", help="save the whole weights here, from the first process")
    return parser.parse_args()


def main():
    args = parse_args()
    rank = int(os.environ.get("RANK", 0))
    local_rank = int(os.environ.get("LOCAL_RANK", 0))
    world_size = int(os.environ.get("WORLD_SIZE", 1))
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29501")
    if torch.cuda.is_available():
        torch.cuda.set_device(local_rank)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    backend = dist.get_default_backend_for_device(device)
    dist.init_process_group(backend, rank=rank, world_size=world_size)
    torch.manual_seed(args.seed)

    tokens = make_sums(args.train_size, args.vocabulary, args.length, seed=1)
    train_set = TensorDataset(tokens[:, :-1], tokens[:, 1:])
    sampler = DistributedSampler(train_set, num_replicas=world_size, rank=rank, shuffle=True, drop_last=True)
    loader = DataLoader(train_set, batch_size=args.batch_size, sampler=sampler, drop_last=True, pin_memory=True)

    model = Decoder(args.vocabulary, args.length, args.dim, args.heads, args.kv_heads, args.layers)
    model.to(device)
    for layer in model.layers:
        fully_shard(layer)
    fully_shard(model)

    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.lr, total_steps=args.epochs * len(loader))
    for epoch in range(args.epochs):
        start = time.time()
        sampler.set_epoch(epoch)
        train_epoch(model, loader, optimizer, scheduler, device, args, epoch, rank)
        if rank == 0:
            print(f"epoch {epoch} | {args.train_size / (time.time() - start):.0f} sequences/s")
    if args.output:
        weights = get_model_state_dict(model, options=StateDictOptions(full_state_dict=True, cpu_offload=True))
        if rank == 0:
            torch.save(weights, args.output)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
