import torch
import torch_xla
from torch.utils.data import DataLoader, Dataset

device = torch_xla.device()


class Rows(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.full((2,), float(index))


def sample(model, loader):
    batches = DataLoader(torch.arange(8.0).reshape(4, 2), batch_size=2)
    for b in batches:
        b = b.to(device)
        print(b[0])
        model(b)
    for b in DataLoader(Rows(), batch_size=2):
        b = b.to(device)
        for row in b:
            print(row)
        model(b)
    for b in loader:
        b = [part.to(device) for part in b]
        print(b[0], len(b))
        for index, part in enumerate(b):
            print(part, b[index])
    for b in loader:
        b = [part.to(device) for part in b]
        image, label = b
        print(model(b), image, label)
