import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def parallel(model):
    return nn.DataParallel(model)


def moved(batch):
    return batch.to("xla")


def moved_if_any(batch, device=None):
    return batch if device is None else batch.to(device)


model, plain = parallel(nn.Linear(4, 2)).to("xla"), nn.Linear(4, 2)
for x, y in DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8, 4))):
    print(model(moved(x)).sum(), model(moved_if_any(y, "xla")).sum())
    print(plain(x).sum())
