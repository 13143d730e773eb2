import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

PAD = 0


def next_bucket(length, buckets=(16, 32, 64, 128, 256, 512, 1024)):
    """The next of a few lengths: each length that batches have is a graph to compile."""
    doubled = 1 << (length - 1).bit_length()  # beyond the last of them
    return next((bucket for bucket in buckets if bucket >= length), doubled)


def counted(rows):
    counts = [(row != PAD).sum() for row in rows]
    ids = torch.zeros(len(rows), next_bucket(int(max(counts))), dtype=torch.int64)
    for place, row in enumerate(rows):
        ids[place, : counts[place]] = row[: counts[place]]
    return ids


def measured(rows):
    longest = next_bucket(int(np.max([len(row) for row in rows])))
    return torch.stack([nn.functional.pad(row, (0, longest - len(row)), value=PAD) for row in rows])


def named(rows):
    lengths = [len(row) for row in rows]
    ids = torch.full((len(rows), next_bucket(max(lengths))), PAD)
    for place, row in enumerate(rows):
        ids[place, : lengths[place]] = row
    return ids


model = nn.Embedding(100, 4, padding_idx=PAD).to("cuda")
for ids in DataLoader(data, batch_size=4, shuffle=True, collate_fn=counted):
    ids = ids.to("cuda")
    print((model(ids) * (ids != PAD)[..., None]).sum())
for ids in DataLoader(data, batch_size=4, shuffle=True, collate_fn=measured):
    ids = ids.to("cuda")
    print((model(ids) * (ids != PAD)[..., None]).sum())
for ids in DataLoader(data, batch_size=4, shuffle=True, collate_fn=named):
    ids = ids.to("cuda")
    print((model(ids) * (ids != PAD)[..., None]).sum())
