import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader, Dataset

device = torch_xla.device()


class Rows(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.full((2,), float(index))


def sample(model, loader):
    batches = DataLoader(torch.arange(8.0).reshape(4, 2), batch_size=2)
    for b in pl.MpDeviceLoader(batches, device):
        print(b[0])
        model(b)
    for b in pl.MpDeviceLoader(DataLoader(Rows(), batch_size=2), device):
        for row in b:
            print(row)
        model(b)
    for b in pl.MpDeviceLoader(loader, device):
        print(b[0], len(b))
        for index, part in enumerate(b):
            print(part, b[index])
    for b in pl.MpDeviceLoader(loader, device):
        image, label = b
        print(model(b), image, label)
