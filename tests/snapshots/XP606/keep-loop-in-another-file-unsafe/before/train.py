import torch
import torch.nn as nn
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader, TensorDataset

from engine import epoch


def main():
    device = torch_xla.device()
    model = nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(TensorDataset(torch.zeros(64, 4)), batch_size=16)
    epoch(model, optimizer, loader, device)
    for (x,) in pl.MpDeviceLoader(loader, device):
        optimizer.zero_grad()
        model(x).pow(2).mean().backward()
        optimizer.step()


if __name__ == "__main__":
    main()
