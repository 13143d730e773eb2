"""Fine-tune a small transformer to classify sentences, with gradient accumulation.

    python train.py                     # made-up reviews, nothing to download
    python train.py --batch-size 8 --accumulation-steps 8
"""

import argparse
import math
import random
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, Dataset

PAD = "[PAD]"
OPINIONS = {
    0: ["dull", "awful", "tired", "clumsy", "empty"],
    1: ["bright", "lovely", "sharp", "graceful", "rich"],
}
FILLERS = "the a not film plot actor scene score it was felt seemed and but with more than ever rather".split()


class Reviews(Dataset):
    """Made-up reviews: opinions among filler words; the more frequent opinion wins."""

    def __init__(self, count, max_length, seed):
        rng = random.Random(seed)
        words = [PAD, *FILLERS, *OPINIONS[0], *OPINIONS[1]]
        self.vocabulary = {word: i for i, word in enumerate(words)}
        self.max_length = max_length
        self.samples = [self._review(rng) for _ in range(count)]

    def _review(self, rng):
        label = rng.randint(0, 1)
        text = []
        while len(text) < self.max_length - 8 and (len(text) < 8 or rng.random() < 0.8):
            text += rng.choices(FILLERS, k=rng.randint(1, 4))
            text.append(rng.choice(OPINIONS[label if rng.random() < 0.85 else 1 - label]))
        return text, label

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, index):
        text, label = self.samples[index]
        ids = [self.vocabulary[word] for word in text]
        padding = self.max_length - len(ids)
        return {
            "input_ids": torch.tensor(ids + [0] * padding),
            "attention_mask": torch.tensor([1] * len(ids) + [0] * padding),
            "labels": torch.tensor(label),
        }


class Classifier(nn.Module):
    def __init__(self, vocab_size, max_length, dim, heads, layers, dropout):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, dim, padding_idx=0)
        self.positions = nn.Embedding(max_length, dim)
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(dim, heads, 4 * dim, dropout, batch_first=True, norm_first=True)
            for _ in range(layers)
        )
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, 2)

    def forward(self, input_ids, attention_mask, labels=None):
        positions = torch.arange(input_ids.size(1), device=input_ids.device)
        x = self.tokens(input_ids) + self.positions(positions)
        for block in self.blocks:
            x = block(x, src_key_padding_mask=attention_mask == 0)
        mask = attention_mask.unsqueeze(-1).type_as(x)
        pooled = (self.norm(x) * mask).sum(dim=1) / mask.sum(dim=1)
        logits = self.head(pooled)
        loss = F.cross_entropy(logits, labels) if labels is not None else None
        return loss, logits


def get_schedule(optimizer, warmup_steps, total_steps):
    """Linear warm-up, then cosine decay to zero, by optimizer steps."""

    def factor(step):
        if step < warmup_steps:
            return (step + 1) / (warmup_steps + 1)
        return 0.5 * (1.0 + math.cos(math.pi * (step - warmup_steps) / max(1, total_steps - warmup_steps)))

    return LambdaLR(optimizer, factor)


def log(epoch, step, steps, total_loss, lr):
    print(f"epoch {epoch} | step {step:4d}/{steps} | loss {total_loss.item() / step:.4f} | lr {lr:.2e}")


def train_epoch(model, loader, optimizer, scheduler, device, args, epoch):
    model.train()
    total_loss = torch.zeros((), device=device)
    optimizer.zero_grad()
    for step, batch in enumerate(loader):
        loss, _ = model(**batch)
        total_loss = total_loss + loss.detach()

        loss = loss / args.accumulation_steps
        loss.backward()

        if (step + 1) % args.accumulation_steps == 0 or step + 1 == len(loader):
            nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()

        if (step + 1) % args.log_steps == 0:
            # runs behind the barrier that the loader sets after the last batch of the window
            lr = scheduler.get_last_lr()[0]
            xm.add_step_closure(log, args=(epoch, step + 1, len(loader), total_loss, lr))

    return total_loss.item() / len(loader)


def evaluate(model, loader, device):
    model.eval()
    total = 0
    correct = torch.zeros((), dtype=torch.long, device=device)
    total_loss = torch.zeros((), device=device)
    with torch.no_grad():
        for batch in loader:
            loss, logits = model(**batch)
            predictions = logits.argmax(dim=-1)
            total_loss += loss
            correct += (predictions == batch["labels"]).sum()
            total += batch["labels"].size(0)
    return total_loss.item() / len(loader), correct.item() / total


def main():
    parser = argparse.ArgumentParser(description="Sentence classification with gradient accumulation")
    parser.add_argument("--train-size", type=int, default=2048)
    parser.add_argument("--eval-size", type=int, default=512)
    parser.add_argument("--max-length", type=int, default=32)
    parser.add_argument("--batch-size", type=int, default=16, help="samples in a forward pass")
    parser.add_argument("--accumulation-steps", type=int, default=4, help="forward passes per optimizer step")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--warmup-steps", type=int, default=10)
    parser.add_argument("--weight-decay", type=float, default=0.01)
    parser.add_argument("--max-grad-norm", type=float, default=1.0)
    parser.add_argument("--dim", type=int, default=48)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--log-steps", type=int, default=64)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--output", metavar="PATH", help="save the best weights here")
    args = parser.parse_args()

    random.seed(args.seed)
    torch.manual_seed(args.seed)
    torch_xla.manual_seed(args.seed)
    device = torch_xla.device()

    train_set = Reviews(args.train_size, args.max_length, seed=0)
    eval_set = Reviews(args.eval_size, args.max_length, seed=1)
    train_loader = DataLoader(
        train_set, batch_size=args.batch_size, shuffle=True, num_workers=args.workers, drop_last=True
    )
    eval_loader = DataLoader(eval_set, batch_size=4 * args.batch_size, num_workers=args.workers)
    # one graph for each step of the optimizer, not for each batch
    train_loader = pl.MpDeviceLoader(train_loader, device, batches_per_execution=args.accumulation_steps)
    eval_loader = pl.MpDeviceLoader(eval_loader, device)

    model = Classifier(
        len(train_set.vocabulary), args.max_length, args.dim, args.heads, args.layers, args.dropout
    )
    model.to(device)

    no_decay = ("bias", "norm")
    groups = [
        {
            "params": [p for n, p in model.named_parameters() if not any(part in n for part in no_decay)],
            "weight_decay": args.weight_decay,
        },
        {
            "params": [p for n, p in model.named_parameters() if any(part in n for part in no_decay)],
            "weight_decay": 0.0,
        },
    ]
    optimizer = torch.optim.AdamW(groups, lr=args.lr)
    updates = math.ceil(len(train_loader) / args.accumulation_steps)
    scheduler = get_schedule(optimizer, args.warmup_steps, updates * args.epochs)

    best = 0.0
    for epoch in range(args.epochs):
        start = time.time()
        train_loss = train_epoch(model, train_loader, optimizer, scheduler, device, args, epoch)
        print(f"epoch {epoch} | {args.train_size / (time.time() - start):.0f} samples/s")
        eval_loss, accuracy = evaluate(model, eval_loader, device)
        print(f"epoch {epoch} | train {train_loss:.4f} | eval {eval_loss:.4f} | accuracy {accuracy:.3f}")
        if accuracy > best:
            best = accuracy
            if args.output:
                xm.save(model.state_dict(), args.output)
    print(f"best accuracy {best:.3f}")


if __name__ == "__main__":
    main()
