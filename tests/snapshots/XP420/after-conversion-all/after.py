import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader


def train(data):
    device = torch_xla.device()
    model = nn.Linear(4, 2).to(device)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(data, batch_size=64, shuffle=True)
    for x in pl.MpDeviceLoader(loader, device):
        opt.zero_grad()
        model(x).sum().backward()
        opt.step()
