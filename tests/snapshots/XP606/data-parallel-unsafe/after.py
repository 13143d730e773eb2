"""DataParallel passes on to the model where there is no GPU: SPMD divides the batch in its place."""

import torch
import torch.nn as nn
import torch_xla
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch.utils.data import DataLoader, TensorDataset


def main():
    device = torch_xla.device()
    model = nn.DataParallel(nn.Linear(4, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=16, shuffle=True)
    for x, y in pl.MpDeviceLoader(loader, device, input_sharding=xs.ShardingSpec(xs.get_1d_mesh("data"), ("data", None))):
        loss = (model(x) - y).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.save(model.module.state_dict(), "last.pt")


if __name__ == "__main__":
    xr.use_spmd()
    main()
