import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader, Dataset

device = torch_xla.device()


class Nested(Dataset):
    def __getitem__(self, i):
        return torch.zeros(3), {"target": {"boxes": torch.ones(3)}}


class Named(Dataset):
    def __getitem__(self, i):
        return torch.zeros(3), "a name"


def train(model, loader):
    for image, given in pl.MpDeviceLoader(DataLoader(Nested()), device):
        loss = model(image, given)
    for batch in pl.MpDeviceLoader(DataLoader(Nested()), device):
        image, given = batch
        loss = model(image, given)
    for image, name in pl.MpDeviceLoader(DataLoader(Named()), device):
        loss = model(image, name)
    for batch in pl.MpDeviceLoader(DataLoader(Named()), device):
        image, name = batch
        loss = model(image, name)
    for batch in pl.MpDeviceLoader(loader, device):
        image, given = batch
        loss = model(image, given["mask"])
    for batch in pl.MpDeviceLoader(loader, device):
        loss = model(batch[0], batch[1]["mask"])
    for batch in pl.MpDeviceLoader(loader, device):
        loss = model(batch["image"], batch["target"]["boxes"])
    for batch in pl.MpDeviceLoader(loader, device):
        target = batch["target"]
        loss = model(batch["image"], target["boxes"])
    for batch in pl.MpDeviceLoader(loader, device):
        (image, mask), label = batch
        loss = model(image, mask, label)
    for image, targets in pl.MpDeviceLoader(loader, device):
        loss = model(image, [target["boxes"] for target in targets])
