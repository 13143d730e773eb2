import torch
import torch_xla

import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader


def main(index):
    device = torch_xla.device()
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    rows = torch.ones(64, 8)
    loader = DataLoader(rows, batch_size=8, shuffle=True, drop_last=True)
    for epoch in range(2):
        for x in pl.MpDeviceLoader(loader, device):
            loss = model(x).square().mean()
            optimizer.zero_grad()
            loss.backward()
            xm.optimizer_step(optimizer)


if __name__ == "__main__":
    torch_xla.launch(main)
