import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __iter__(self):
        while True:
            yield torch.randn(4), torch.randn(1)


def train(model, optimizer):
    device = torch_xla.device()
    for x, y in pl.MpDeviceLoader(DataLoader(Stream(), batch_size=4, num_workers=2), device):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
