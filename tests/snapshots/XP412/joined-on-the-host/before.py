import random

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def marked(rows: torch.Tensor):
    return torch.nonzero(rows == 3.0)  # of the host, as its call shows


def marked_there(rows: torch.Tensor):
    return torch.nonzero(rows == 3.0)


def batch_of(texts, n):
    filler = torch.zeros(4)
    rows = torch.stack([text for text in texts + texts[:1]])
    ends = marked(rows)
    if len(texts) < n:
        more = [filler.clone() for _ in range(n - len(texts))]
        rows = torch.cat([rows, *more])  # what is joined lies on one device
    return rows, ends


def best_of(tables, way):
    kept = []
    if way == "all":
        for table in tables:
            kept.append(table.topk(2)[1].cpu())
        kept = torch.cat(kept)
    elif way == "first":
        for table in tables[:1]:
            kept.append(table.cpu())
        kept = torch.cat(kept)
    pairs = torch.cat([torch.arange(kept.size(0)).long().unsqueeze(1), kept[:, :1]], 1)
    return torch.nonzero(pairs.max(1)[0] > 2)


def run(texts, tables):
    for _ in range(64):
        rows, ends = batch_of(random.sample(texts, 3), 4)
        x = torch.stack([model.weight[0] for _ in texts])
        out = model(rows.to(device)) + len(ends) + len(best_of(tables, "all")) + marked_there(x).sum()
        out.sum().backward()
        optimizer.step()


run([torch.ones(4)] * 4, [torch.ones(3, 4)])
