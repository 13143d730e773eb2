import torch
import torch_xla
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader


def train(data, device, epochs):
    model = DistributedDataParallel(nn.Linear(4, 1).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(data, batch_size=4)
    for i, x in enumerate(loader):
        if (i + 1) % 4 == 0:
            loss = model(x.to(device)).mean() / 4
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        else:
            with model.no_sync():
                loss = model(x.to(device)).mean() / 4
                loss.backward()
        torch_xla.sync()
