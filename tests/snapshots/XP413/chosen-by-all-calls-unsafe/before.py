import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

PAD = 0


def padded(items):
    return pad_sequence(items, batch_first=True, padding_value=PAD)  # no loader takes it: every call says pad=False


def cut(items):
    shortest = min(*[len(item) for item in items])
    return torch.stack([item[:shortest] for item in items])


def numbered(items):
    return pad_sequence(items, batch_first=True, padding_value=PAD)  # one of the calls leaves this one


def noted(items):
    return pad_sequence(items, batch_first=True, padding_value=PAD)  # what is passed is not known


def make_loader(data, pad=True, **options):
    collate = padded if pad else cut
    return DataLoader(data, collate_fn=collate, **options)


def make_numbered(data, plain=False):
    if plain:
        collate = cut
    else:
        collate = numbered
    return DataLoader(data, batch_size=4, collate_fn=collate)


def make_noted(data, pad=None):
    if pad is None:
        return DataLoader(data, batch_size=4, collate_fn=cut)
    return DataLoader(data, batch_size=4, collate_fn=noted)


model = torch.nn.Embedding(100, 4, padding_idx=PAD).to("xla")
data = [torch.ones(3, dtype=torch.long), torch.ones(5, dtype=torch.long)]
for loader in (
    make_loader(data, pad=False, batch_size=2),
    make_loader(data, pad=False, batch_size=4),
    make_numbered(data),
    make_numbered(data, plain=True),
    make_noted(data, pad=len(data)),
):
    for ids in loader:
        ids = ids.to("xla")
        print((model(ids) * (ids != PAD)[..., None]).sum())
