from functools import partial

import torch
from torch import nn
from torch.nn.utils import rnn
from torch.utils.data import DataLoader, Dataset

PAD = 0


def pad_to_bucket(batch, dim, value, buckets=(16, 32, 64, 128, 256, 512, 1024)):
    """Pad a batch to the next of a few lengths: each length that batches have is a graph to compile."""
    length = batch.size(dim)
    doubled = 1 << (length - 1).bit_length()  # beyond the last of them
    shape = list(batch.shape)
    shape[dim] = next((bucket for bucket in buckets if bucket >= length), doubled) - length
    return torch.cat([batch, batch.new_full(shape, value)], dim)


class Sentences(Dataset):
    def __getitem__(self, index):
        return torch.ones(index + 1)

    def __len__(self):
        return 64

    def collate(self, batch):
        return pad_to_bucket(rnn.pad_sequence(batch, True, PAD), 1, PAD)


class Loader(DataLoader):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.collate_fn = _collate


def next_bucket(length, buckets=(16, 32, 64, 128, 256, 512, 1024)):
    """The next of a few lengths: each length that batches have is a graph to compile."""
    doubled = 1 << (length - 1).bit_length()  # beyond the last of them
    return next((bucket for bucket in buckets if bucket >= length), doubled)


def _collate(batch):
    longest = next_bucket(max([x.size(0) for x in batch]))
    rows = torch.zeros(len(batch), longest)
    for row, x in zip(rows, batch):
        row.narrow(0, 0, x.size(0)).copy_(x)
    return rows


def with_value(batch, value):
    return pad_to_bucket(rnn.pad_sequence(batch, batch_first=True, padding_value=value), 1, value)


def by_length(batch):
    lengths, order = torch.sort(torch.LongTensor([len(x) for x in batch]), dim=0, descending=True)
    longest = next_bucket(int(lengths[0]))
    rows = torch.LongTensor(len(batch), longest)
    rows.zero_()
    for place, index in enumerate(order):
        rows[place, : len(batch[index])] = batch[index]
    return rows, lengths


def by_the_longest(batch):
    def length(sample):
        return sample[0].size(1)

    longest = max(batch, key=length)[0]
    height, width = longest.size(0), longest.size(1)
    images = torch.zeros(len(batch), 1, longest.size(0), longest.size(1))
    lengths = torch.zeros(len(batch), height, width)
    return images, lengths


sentences = Sentences()
loaders = [
    DataLoader(sentences, batch_size=8, collate_fn=by_the_longest),
    DataLoader(sentences, batch_size=8, collate_fn=sentences.collate),
    Loader(sentences, batch_size=8),
    DataLoader(sentences, batch_size=8, collate_fn=partial(with_value, value=PAD)),
    DataLoader(sentences, batch_size=8, collate_fn=lambda batch: pad_to_bucket(rnn.pad_sequence(batch, padding_value=PAD), 0, PAD)),
    DataLoader(sentences, batch_size=8, collate_fn=by_length),
]
device = torch.device("cuda")
model = nn.Embedding(100, 8, padding_idx=PAD).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for loader in loaders:
    for ids in loader:
        ids = ids.to(device)
        loss = (model(ids) * (ids != PAD)[..., None]).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
