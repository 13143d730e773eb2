"""Train a vision transformer whose weights are sharded over the GPUs of a machine.

    torchrun --nproc_per_node=8 train.py --bf16      # one process for each GPU
    python train.py                                  # one process alone, made-up images, nothing to download
"""

import argparse
import functools
import os
import time

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import apply_activation_checkpointing
from torch.distributed.fsdp import (
    FullStateDictConfig,
    FullyShardedDataParallel as FSDP,
    MixedPrecision,
    ShardingStrategy,
    StateDictType,
)
from torch.distributed.fsdp.wrap import transformer_auto_wrap_policy
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

ORIENTATIONS = 4
FREQUENCIES = (0.09, 0.2)


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        batch, tokens, dim = x.shape
        qkv = self.qkv(x).view(batch, tokens, 3, self.heads, dim // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        x = F.scaled_dot_product_attention(q, k, v)
        return self.proj(x.transpose(1, 2).reshape(batch, tokens, dim))


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim)
        self.attention = Attention(dim, heads)
        self.norm2 = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class VisionTransformer(nn.Module):
    def __init__(self, image_size, patch_size, dim, heads, layers, classes):
        super().__init__()
        self.patch_size = patch_size
        self.patches = nn.Linear(3 * patch_size**2, dim)
        self.summary = nn.Parameter(torch.zeros(1, 1, dim))
        self.positions = nn.Parameter(0.02 * torch.randn(1, 1 + (image_size // patch_size) ** 2, dim))
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, images):
        x = self.patches(F.pixel_unshuffle(images, self.patch_size).flatten(2).transpose(1, 2))
        x = torch.cat([self.summary.expand(len(x), -1, -1), x], dim=1) + self.positions
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x[:, 0]))


def make_gratings(count, size, seed):
    """Stripes of some direction and width, at random places, in random colours, with noise."""
    rng = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, ORIENTATIONS * len(FREQUENCIES), (count,), generator=rng)
    angles = (labels % ORIENTATIONS) * torch.pi / ORIENTATIONS
    frequencies = torch.tensor(FREQUENCIES)[labels // ORIENTATIONS]
    y, x = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    along = torch.cos(angles)[:, None, None] * x + torch.sin(angles)[:, None, None] * y
    phases = torch.rand(count, 1, 1, generator=rng)
    stripes = torch.sin(2 * torch.pi * (frequencies[:, None, None] * along + phases))
    colours = 0.5 + torch.rand(count, 3, 1, 1, generator=rng)
    noise = 0.5 * torch.randn(count, 3, size, size, generator=rng)
    return TensorDataset(colours * stripes.unsqueeze(1) + noise, labels)


def train_epoch(model, loader, optimizer, scheduler, device, args, epoch, rank):
    model.train()
    for step, (images, labels) in enumerate(loader):
        images = images.to(device, non_blocking=True)
        labels = labels.to(device, non_blocking=True)
        optimizer.zero_grad()
        logits = model(images)
        loss = F.cross_entropy(logits.float(), labels)
        loss.backward()
        model.clip_grad_norm_(args.max_grad_norm)
        optimizer.step()
        scheduler.step()
        if step % args.log_interval == 0 and rank == 0:
            print(f"epoch {epoch} | step {step:4d}/{len(loader)} | loss {loss.item():.4f}")


def evaluate(model, loader, device):
    model.eval()
    counts = torch.zeros(3, device=device)
    with torch.no_grad():
        for images, labels in loader:
            images = images.to(device, non_blocking=True)
            labels = labels.to(device, non_blocking=True)
            logits = model(images).float()
            counts[0] += F.cross_entropy(logits, labels, reduction="sum")
            counts[1] += (logits.argmax(dim=1) == labels).sum()
            counts[2] += labels.size(0)
    dist.all_reduce(counts)
    loss, correct, total = counts.tolist()
    return loss / total, correct / total


def save(model, path, rank):
    config = FullStateDictConfig(offload_to_cpu=True, rank0_only=True)
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, config):
        weights = model.state_dict()
    if rank == 0:
        torch.save(weights, path)


def parse_args():
    parser = argparse.ArgumentParser(description="A vision transformer with sharded weights")
    parser.add_argument("--train-size", type=int, default=2048)
    parser.add_argument("--eval-size", type=int, default=512)
    parser.add_argument("--image-size", type=int, default=16)
    parser.add_argument("--patch-size", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=64, help="images for each process")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--weight-decay", type=float, default=0.05)
    parser.add_argument("--max-grad-norm", type=float, default=1.0)
    parser.add_argument("--dim", type=int, default=48)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--bf16", action="store_true", help="compute in bfloat16; the weights stay in float32")
    parser.add_argument("--checkpoint-activations", action="store_true", help="compute the blocks twice, for memory")
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
    os.environ.setdefault("MASTER_PORT", "29500")
    if torch.cuda.is_available():
        torch.cuda.set_device(local_rank)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    backend = dist.get_default_backend_for_device(device)
    dist.init_process_group(backend, rank=rank, world_size=world_size)
    torch.manual_seed(args.seed)

    train_set = make_gratings(args.train_size, args.image_size, seed=1)
    eval_set = make_gratings(args.eval_size, args.image_size, seed=2)
    sampler = DistributedSampler(train_set, num_replicas=world_size, rank=rank, shuffle=True, drop_last=True)
    train_loader = DataLoader(train_set, batch_size=args.batch_size, sampler=sampler, drop_last=True, pin_memory=True)
    eval_sampler = DistributedSampler(eval_set, num_replicas=world_size, rank=rank, shuffle=False)
    eval_loader = DataLoader(eval_set, batch_size=args.batch_size, sampler=eval_sampler, pin_memory=True)

    classes = ORIENTATIONS * len(FREQUENCIES)
    model = VisionTransformer(args.image_size, args.patch_size, args.dim, args.heads, args.layers, classes)
    wrap_policy = functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={Block})
    bf16 = MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.float32, buffer_dtype=torch.bfloat16)
    model = FSDP(
        model,
        auto_wrap_policy=wrap_policy,
        sharding_strategy=ShardingStrategy.FULL_SHARD,
        mixed_precision=bf16 if args.bf16 else None,
        device_id=device,
        limit_all_gathers=True,
        use_orig_params=True,
    )
    if args.checkpoint_activations:
        apply_activation_checkpointing(model, check_fn=lambda module: isinstance(module, Block))

    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.lr, total_steps=args.epochs * len(train_loader))
    for epoch in range(args.epochs):
        start = time.time()
        sampler.set_epoch(epoch)
        train_epoch(model, train_loader, optimizer, scheduler, device, args, epoch, rank)
        eval_loss, accuracy = evaluate(model, eval_loader, device)
        if rank == 0:
            print(f"epoch {epoch} | {args.train_size / (time.time() - start):.0f} images/s")
            print(f"epoch {epoch} | val {eval_loss:.4f} | accuracy {accuracy:.3f}")
    if args.output:
        save(model, args.output, rank)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
