import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

PAD = 0


def fill(row, length):
    return np.pad(row, (0, length - len(row)), constant_values=PAD)


def show(row, length):
    print(len(row), "of", length)


def next_bucket(length, buckets=(16, 32, 64, 128, 256, 512, 1024)):
    """The next of a few lengths: each length that batches have is a graph to compile."""
    doubled = 1 << (length - 1).bit_length()  # beyond the last of them
    return next((bucket for bucket in buckets if bucket >= length), doubled)


def collate(rows):
    lengths = [len(row) for row in rows]
    longest = next_bucket(max(lengths)) + 1
    return torch.tensor(np.stack([fill(row, longest) for row in rows]))


def collate_shown(rows):
    longest = max([len(row) for row in rows])
    show(rows[0], longest)
    return torch.tensor(np.stack(rows))


def train(data):
    model = nn.Embedding(100, 4, padding_idx=PAD).cuda()
    for x in DataLoader(data, 32, collate_fn=collate):
        x = x.cuda()
        print((model(x) * (x != PAD)[..., None]).sum())
    for x in DataLoader(data, 32, collate_fn=collate_shown):
        x = x.cuda()
        print((model(x) * (x != PAD)[..., None]).sum())
