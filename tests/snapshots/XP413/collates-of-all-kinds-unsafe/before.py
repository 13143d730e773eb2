from functools import partial

import torch
from torch import nn
from torch.nn.utils import rnn
from torch.utils.data import DataLoader, Dataset

PAD = 0


class Sentences(Dataset):
    def __getitem__(self, index):
        return torch.ones(index + 1)

    def __len__(self):
        return 64

    def collate(self, batch):
        return rnn.pad_sequence(batch, True, PAD)


class Loader(DataLoader):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.collate_fn = _collate


def _collate(batch):
    longest = max([x.size(0) for x in batch])
    rows = torch.zeros(len(batch), longest)
    for row, x in zip(rows, batch):
        row.narrow(0, 0, x.size(0)).copy_(x)
    return rows


def with_value(batch, value):
    return rnn.pad_sequence(batch, batch_first=True, padding_value=value)


def by_length(batch):
    lengths, order = torch.sort(torch.LongTensor([len(x) for x in batch]), dim=0, descending=True)
    longest = lengths[0]
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
    DataLoader(sentences, batch_size=8, collate_fn=lambda batch: rnn.pad_sequence(batch, padding_value=PAD)),
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
