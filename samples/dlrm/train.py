"""Train a deep learning recommendation model (DLRM) to predict clicks.

    python train.py                         # on made-up clicks, nothing to download
"""

import argparse
import time

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Clicks(Dataset):
    """Made-up ads: dense features, some ids for each of several tables, and whether somebody clicked."""

    def __init__(self, size, tables, dense, lookups, seed):
        rng = torch.Generator().manual_seed(seed)
        taste = torch.Generator().manual_seed(0)
        self.dense = torch.randn(size, dense, generator=rng)
        self.ids = [torch.randint(n, (size, lookups), generator=rng) for n in tables]
        score = self.dense @ torch.randn(dense, generator=taste)
        for ids, n in zip(self.ids, tables):
            score = score + 1.5 * torch.randn(n, generator=taste)[ids].sum(1)
        self.clicked = torch.bernoulli(torch.sigmoid(score), generator=rng)

    def __len__(self):
        return len(self.clicked)

    def __getitem__(self, i):
        return self.dense[i], [ids[i] for ids in self.ids], self.clicked[i]


def collate(samples):
    """The ids of each table, a row for each sample: a bag of one length."""
    dense, ids, clicked = zip(*samples)
    return torch.stack(dense), [torch.stack(table) for table in zip(*ids)], torch.stack(clicked)


def mlp(sizes, last=nn.ReLU):
    layers = []
    for n, m in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(n, m), nn.ReLU()]
    return nn.Sequential(*layers[:-1], last())


class DLRM(nn.Module):
    def __init__(self, tables, dim, dense, hidden):
        super().__init__()
        self.tables = nn.ModuleList()
        for n in tables:
            table = nn.EmbeddingBag(n, dim, mode="sum", sparse=True)
            nn.init.uniform_(table.weight, -((1 / n) ** 0.5), (1 / n) ** 0.5)
            self.tables.append(table)
        self.bottom = mlp([dense, hidden, dim])
        vectors = len(tables) + 1
        rows, columns = torch.tril_indices(vectors, vectors, offset=-1)
        self.register_buffer("rows", rows)
        self.register_buffer("columns", columns)
        self.top = mlp([dim + len(rows), hidden, 1], last=nn.Sigmoid)

    def forward(self, dense, indices):
        x = self.bottom(dense)
        bags = [table(ids) for table, ids in zip(self.tables, indices)]
        vectors = torch.stack([x] + bags, dim=1)
        products = torch.bmm(vectors, vectors.transpose(1, 2))
        return self.top(torch.cat([x, products[:, self.rows, self.columns]], dim=1)).squeeze(1)


def train(model, loader, optimizer, criterion, device, epoch, args):
    model.train()
    for step, (dense, indices, clicked) in enumerate(loader):
        dense = dense.to(device, non_blocking=True)
        indices = [ids.to(device) for ids in indices]
        clicked = clicked.to(device, non_blocking=True)
        loss = criterion(model(dense, indices), clicked)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % args.log_interval == 0:
            print(f"epoch {epoch} step {step:3d} | loss {loss.item():.4f}")


@torch.no_grad()
def evaluate(model, loader, device, buckets=10):
    """The share of right predictions, and how often somebody clicked by what was predicted."""
    model.eval()
    edges = torch.linspace(0, 1, buckets + 1, device=device)[1:-1]
    right = torch.zeros((), device=device)
    shown = torch.zeros(buckets, dtype=torch.long, device=device)
    clicks = torch.zeros(buckets, dtype=torch.long, device=device)
    for dense, indices, clicked in loader:
        dense, clicked = dense.to(device), clicked.to(device)
        indices = [ids.to(device) for ids in indices]
        predicted = model(dense, indices)
        right += ((predicted > 0.5) == (clicked > 0.5)).sum()
        bucket = torch.bucketize(predicted, edges)
        shown += torch.bincount(bucket, minlength=buckets)
        clicks += (torch.nn.functional.one_hot(bucket, buckets) * clicked.long().unsqueeze(1)).sum(0)
    rates = (clicks / shown.clamp(min=1)).tolist()
    return right.item() / len(loader.dataset), rates


def main():
    parser = argparse.ArgumentParser(description="Deep learning recommendation model")
    parser.add_argument("--tables", type=int, nargs="+", default=[50, 40, 30], help="rows of each table")
    parser.add_argument("--lookups", type=int, default=3, help="ids of a sample in each table")
    parser.add_argument("--dense", type=int, default=4)
    parser.add_argument("--dim", type=int, default=16)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--train-size", type=int, default=8192)
    parser.add_argument("--test-size", type=int, default=1024)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--log-interval", type=int, default=16)
    parser.add_argument("--seed", type=int, default=123)
    parser.add_argument("--save", metavar="PATH", help="save the model here")
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    torch.cuda.manual_seed_all(args.seed)
    torch.backends.cudnn.benchmark = True
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    made = (args.tables, args.dense, args.lookups)
    options = {"batch_size": args.batch_size, "collate_fn": collate, "pin_memory": True}
    loader = DataLoader(Clicks(args.train_size, *made, seed=1), shuffle=True, drop_last=True, **options)
    test_loader = DataLoader(Clicks(args.test_size, *made, seed=2), **options)

    model = DLRM(args.tables, args.dim, args.dense, args.hidden).to(device)
    optimizer = torch.optim.Adagrad(model.parameters(), lr=args.lr)
    criterion = nn.BCELoss()

    if torch.cuda.is_available():
        torch.cuda.synchronize()
    start = time.time()
    for epoch in range(args.epochs):
        train(model, loader, optimizer, criterion, device, epoch, args)
        accuracy, rates = evaluate(model, test_loader, device)
        print(f"epoch {epoch} | Accuracy {accuracy:.4f} | clicks by prediction {' '.join(f'{r:.2f}' for r in rates)}")
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    print(f"{args.epochs * args.train_size / (time.time() - start):.0f} samples/s")
    if args.save:
        torch.save(model.state_dict(), args.save)


if __name__ == "__main__":
    main()
