import torch
import torch.nn as nn
import torch_xla
from torch.utils.data import DataLoader, TensorDataset


def main(limit):
    device = torch_xla.device()
    model = nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(TensorDataset(torch.zeros(64, 4), torch.zeros(64, 1)), batch_size=16)
    for i, (x, y) in enumerate(loader):
        if i == limit:
            break
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        (model(x) - y).mean().backward()
        optimizer.step()
        torch_xla.sync()


if __name__ == "__main__":
    main(3)
