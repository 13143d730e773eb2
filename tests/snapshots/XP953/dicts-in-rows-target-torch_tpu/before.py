import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader, Dataset

device = torch_xla.device()


class Masked(Dataset):
    def __getitem__(self, i):
        return torch.zeros(3), {"mask": torch.ones(3)}


class Named(Dataset):
    def __getitem__(self, i):
        return {"image": torch.zeros(3), "name": "a"}


def together(rows):
    return [torch.stack(rows), torch.ones(len(rows))]


def train(model, data):
    for image, given in pl.MpDeviceLoader(DataLoader(Masked()), device):
        loss = model(image, given)
    for step, (image, given) in enumerate(pl.MpDeviceLoader(DataLoader(Masked()), device)):
        loss = model(image, **given)
    for batch in pl.MpDeviceLoader(DataLoader(Named()), device):
        loss = model(batch)
    for batch in pl.MpDeviceLoader(DataLoader(data, collate_fn=together), device):
        loss = model(batch)
