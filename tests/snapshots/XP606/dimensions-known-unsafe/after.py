"""Both loaders, and the start in front of all."""

import torch
import torch.nn as nn
import torch_xla
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch.utils.data import DataLoader, TensorDataset


def evaluate(model, loader, device):
    total = torch.zeros((), device=device)
    with torch.no_grad():
        for x, y in pl.MpDeviceLoader(loader, device, input_sharding=xs.ShardingSpec(xs.get_1d_mesh("data"), ("data", None))):
            total += (model(x) - y).abs().sum()
    return total.item()


def main():
    device = torch_xla.device()
    model = nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=16, shuffle=True)
    test = DataLoader(TensorDataset(torch.randn(10, 4), torch.randn(10, 1)), batch_size=4)
    for x, y in pl.MpDeviceLoader(train, device, input_sharding=xs.ShardingSpec(xs.get_1d_mesh("data"), ("data", None))):
        loss = (model(x) - y).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(evaluate(model, test, device))


if __name__ == "__main__":
    xr.use_spmd()
    main()
