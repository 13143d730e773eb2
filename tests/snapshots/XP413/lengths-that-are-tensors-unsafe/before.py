import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

PAD = 0


def counted(rows):
    counts = [(row != PAD).sum() for row in rows]
    ids = torch.zeros(len(rows), max(counts), dtype=torch.int64)
    for place, row in enumerate(rows):
        ids[place, : counts[place]] = row[: counts[place]]
    return ids


def measured(rows):
    longest = np.max([len(row) for row in rows])
    return torch.stack([nn.functional.pad(row, (0, longest - len(row)), value=PAD) for row in rows])


def named(rows):
    lengths = [len(row) for row in rows]
    ids = torch.full((len(rows), max(lengths)), PAD)
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
