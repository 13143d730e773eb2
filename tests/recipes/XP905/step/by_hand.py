import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.runtime as xr
from torch import nn


def train(loader, model, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        xm.optimizer_step(optimizer)


def main(index, data):
    device = torch_xla.device()
    model = nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * xr.world_size())
    several = pl.MpDeviceLoader(data, device)
    for epoch in range(3):
        batches = pl.MpDeviceLoader(torch.utils.data.DataLoader(data, batch_size=8), device)
        train(batches, model, optimizer)
        for x, y in several:
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    torch_xla.launch(main, args=(data,))
