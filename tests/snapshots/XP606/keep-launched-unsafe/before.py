import torch
import torch.nn as nn
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader, TensorDataset


def train(index):
    device = torch_xla.device()
    model = nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(TensorDataset(torch.zeros(64, 4)), batch_size=16)
    for (x,) in pl.MpDeviceLoader(loader, device):
        optimizer.zero_grad()
        model(x).mean().backward()
        xm.optimizer_step(optimizer)


if __name__ == "__main__":
    torch_xla.launch(train)
