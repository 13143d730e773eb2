"""Train a transformer to translate sentences of many lengths.

    python train.py                         # made-up sentences, nothing to download
    python train.py --data pairs.tsv        # one pair in each line, with a tab between the two
"""

import argparse
import time

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import PAD, ByLength, Pairs, Vocabulary, collate, make_pairs, read_pairs
from model import Seq2Seq


def loss_of(logits, target, smoothing):
    """The sum over all words, without padding, and how many these are."""
    loss = F.cross_entropy(
        logits.transpose(1, 2), target, ignore_index=PAD, label_smoothing=smoothing, reduction="sum"
    )
    return loss, (target != PAD).sum()


def train(model, loader, optimizer, scheduler, device, epoch, args):
    model.train()
    for step, (source, target) in enumerate(loader):
        source = source.to(device, non_blocking=True)
        target = target.to(device, non_blocking=True)
        logits = model(source, target[:, :-1])
        loss, words = loss_of(logits, target[:, 1:], args.smoothing)
        loss = loss / words
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
        scheduler.step()
        if step % args.log_interval == 0:
            print(f"epoch {epoch} | {step:4d}/{len(loader)} | loss {loss.item():.4f}")


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    total, correct, count = 0.0, 0, 0
    for source, target in loader:
        source, target = source.to(device), target.to(device)
        logits = model(source, target[:, :-1])
        loss, words = loss_of(logits, target[:, 1:], 0.0)
        total += loss.item()
        correct += ((logits.argmax(-1) == target[:, 1:]) & (target[:, 1:] != PAD)).sum().item()
        count += words.item()
    return total / count, correct / count


def main():
    parser = argparse.ArgumentParser(description="Encoder and decoder")
    parser.add_argument("--data", default=None, help="a file of pairs")
    parser.add_argument("--train-size", type=int, default=4096)
    parser.add_argument("--val-size", type=int, default=512)
    parser.add_argument("--max-words", type=int, default=30)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--dim", type=int, default=64)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--smoothing", type=float, default=0.0)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--warmup", type=int, default=40)
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--log-interval", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", metavar="PATH", help="save the weights here")
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    torch.cuda.manual_seed_all(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    if args.data is not None:
        pairs = read_pairs(args.data)
        train_pairs, val_pairs = pairs[args.val_size :], pairs[: args.val_size]
    else:
        train_pairs = make_pairs(args.train_size, args.max_words, seed=0)
        val_pairs = make_pairs(args.val_size, args.max_words, seed=1)
    sources = Vocabulary(source for source, _ in train_pairs)
    targets = Vocabulary(target for _, target in train_pairs)
    train_set, val_set = Pairs(train_pairs, sources, targets), Pairs(val_pairs, sources, targets)
    options = {"collate_fn": collate, "num_workers": args.workers, "pin_memory": True}
    train_loader = DataLoader(
        train_set, batch_sampler=ByLength(train_set.lengths, args.batch_size, args.seed), **options
    )
    val_loader = DataLoader(val_set, batch_sampler=ByLength(val_set.lengths, args.batch_size), **options)

    model = Seq2Seq(len(sources), len(targets), PAD, args.dim, layers=args.layers, dropout=args.dropout).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, betas=(0.9, 0.98))
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / args.warmup, (args.warmup / (step + 1)) ** 0.5)
    )
    print(f"{len(train_set)} pairs, {sum(p.numel() for p in model.parameters())} parameters")

    start = time.time()
    for epoch in range(args.epochs):
        train(model, train_loader, optimizer, scheduler, device, epoch, args)
        loss, accuracy = evaluate(model, val_loader, device)
        print(f"epoch {epoch} | val {loss:.4f} | accuracy {accuracy:.3f}")
    print(f"{args.epochs * len(train_set) / (time.time() - start):.0f} pairs/s")

    if args.save:
        torch.save(model.state_dict(), args.save)


if __name__ == "__main__":
    main()
