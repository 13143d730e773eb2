from functools import partial

import torch
from torch.utils.data import DataLoader, default_collate

from texts import Collator, joined


def crops(batch):
    return torch.cat([sample["crops"] for sample in batch]), torch.tensor([sample["label"] for sample in batch])


def stacked(batch):
    return torch.cat([sample["image"].unsqueeze(0) for sample in batch]), torch.tensor([s["label"] for s in batch])


def whole(batch):
    images, labels = zip(*batch)
    return torch.cat(images, dim=0), torch.stack(labels)


model = torch.nn.Linear(4, 1).to("cuda")
optimizer = torch.optim.Adam(model.parameters())


def train(loader):
    for images, labels in loader:
        optimizer.zero_grad()
        loss = (model(images.to("cuda")) - labels.to("cuda")).square().mean()
        loss.backward()
        optimizer.step()


# As many rows as the samples have together, which may be as many of each.
train(DataLoader(data, 32, shuffle=True, collate_fn=crops))
train(DataLoader(data, 48, shuffle=True, collate_fn=whole))
# What nobody can see.
train(DataLoader(data, 64, shuffle=True, collate_fn=partial(joined, pad=0)))
train(DataLoader(data, 80, shuffle=True, collate_fn=Collator(pad=0)))
# Batches of one shape, but for the last.
train(DataLoader(data, 96, shuffle=True, collate_fn=stacked))
train(DataLoader(data, 112, shuffle=True, collate_fn=default_collate))
train(DataLoader(data, 128, shuffle=True, collate_fn=None))


def cut(batch):
    ids, counts = map(torch.stack, zip(*batch))
    longest = max(counts).item()
    return ids[:, :longest], counts


# All as long as this is, or each as long as its longest.
train(DataLoader(data, 144, shuffle=True, collate_fn=cut))
