import torch
from torch.utils.data import DataLoader

import engine
from net import Net


def main(data, epochs):
    device = torch.device("cuda")
    model = Net().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(data, batch_size=4)
    for epoch in range(epochs):
        total = 0.0
        for x, y in loader:
            total += engine.train_step(model, optimizer, x.to(device), y.to(device))
        print(epoch, total / len(loader))
