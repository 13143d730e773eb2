import torch
import torch_xla
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
    for image, given in DataLoader(Masked()):
        image = image.to(device)
        given = {k: v.to(device) if torch.is_tensor(v) else v for k, v in given.items()}
        loss = model(image, given)
    for step, (image, given) in enumerate(DataLoader(Masked())):
        image = image.to(device)
        given = {k: v.to(device) for k, v in given.items()}
        loss = model(image, **given)
    for batch in DataLoader(Named()):
        batch = {k: v.to(device) if torch.is_tensor(v) else v for k, v in batch.items()}
        loss = model(batch)
    for batch in DataLoader(data, collate_fn=together):
        batch = [part.to(device) for part in batch]
        loss = model(batch)
