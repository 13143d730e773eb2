"""What a function reads of something unknown, where it is given the output of a model, and where it is not."""

import torch_xla
from torch import nn

from data import batches, optimizer

model = nn.Embedding(8, 8).to("xla")


def count(out, labels):
    right = out.argmax(1) == labels
    words = labels.ne(0)
    return right, words.sum().item()


def lengths(entries):
    return sum(entry.item() for entry in entries)


total = 0
for batch in batches:
    out = model(batch.x.to("xla"))
    right, words = count(out, batch.labels)
    total += words * lengths(batch.lengths)
    out.mean().backward()
    optimizer.step()
    torch_xla.sync()
