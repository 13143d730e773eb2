import numpy as np
import torch
import torch.nn as nn
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs
from torch.utils.data import DataLoader, TensorDataset
from torch_xla import runtime as xr


def main():
    xr.use_spmd()
    device = torch_xla.device()
    num_devices = xr.global_runtime_device_count()
    mesh_shape = (num_devices, 1)
    device_ids = np.arange(num_devices)
    mesh = xs.Mesh(device_ids, mesh_shape, ("data", "model"))
    xs.set_global_mesh(mesh)
    spec = xs.ShardingSpec(mesh, ("data", None))
    data = TensorDataset(torch.randn(64, 4), torch.randn(64, 2))
    train = pl.MpDeviceLoader(DataLoader(data, batch_size=8 * num_devices), device, input_sharding=spec)
    model = nn.Linear(4, 2).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, (x, y) in enumerate(train):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        if step % 10 == 0:
            xm.master_print(step, loss.item())


if __name__ == "__main__":
    main()
