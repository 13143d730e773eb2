import torch
import torch_xla

import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.runtime as xr
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler


def main(index):
    device = torch_xla.device()
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    rows = torch.ones(64, 8)
    sampler = DistributedSampler(rows, num_replicas=xr.world_size(), rank=xr.global_ordinal())
    loader = DataLoader(rows, batch_size=8, sampler=sampler, drop_last=True)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for x in pl.MpDeviceLoader(loader, device):
            loss = model(x).square().mean()
            optimizer.zero_grad()
            loss.backward()
            xm.optimizer_step(optimizer)


if __name__ == "__main__":
    torch_xla.launch(main)
