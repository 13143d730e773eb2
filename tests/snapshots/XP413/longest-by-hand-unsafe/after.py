import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

pad_id = 0


def next_bucket(length, buckets=(16, 32, 64, 128, 256, 512, 1024)):
    """The next of a few lengths: each length that batches have is a graph to compile."""
    doubled = 1 << (length - 1).bit_length()  # beyond the last of them
    return next((bucket for bucket in buckets if bucket >= length), doubled)


def collate(batch):
    longest = next_bucket(max(len(ids) for ids, _ in batch))
    ids = torch.full((len(batch), longest), pad_id, dtype=torch.long)
    for row, (sentence, _) in enumerate(batch):
        ids[row, : len(sentence)] = torch.tensor(sentence)
    tags = np.array([t + [-100] * (longest - len(t)) for _, t in batch])
    return ids, torch.from_numpy(tags)


device = torch.device("cuda")
model = nn.Embedding(100, 10, padding_idx=pad_id).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader([([3, 4], [5, 1]), ([3], [4])] * 32, batch_size=8, collate_fn=collate)
for ids, tags in loader:
    ids, tags = ids.to(device), tags.to(device)
    mask = ids != pad_id
    scores = model(ids).masked_fill(~mask[..., None], 0.0)
    loss = nn.functional.cross_entropy(scores.flatten(0, 1), tags.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
