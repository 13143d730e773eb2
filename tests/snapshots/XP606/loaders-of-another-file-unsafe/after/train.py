import torch
import torch.nn as nn
import torch_xla
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr

from data import loaders

xr.use_spmd()

device = torch_xla.device()


def main():
    model = nn.Sequential(nn.Flatten(), nn.Linear(192, 9)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in pl.MpDeviceLoader(loaders(16), device, input_sharding=xs.ShardingSpec(xs.get_1d_mesh("data"), ("data", None, None, None))):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


if __name__ == "__main__":
    main()
