import torch
import torch.nn as nn
import torch_xla
import torch_xla.distributed.parallel_loader as pl

from data import loaders

device = torch_xla.device()


def main():
    model = nn.Sequential(nn.Flatten(), nn.Linear(192, 9)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in pl.MpDeviceLoader(loaders(16), device):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


if __name__ == "__main__":
    main()
