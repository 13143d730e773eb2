import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")


def train(model, loader, optimizer):
    for x in loader:
        loss = model(x.to(device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    total = 0.0
    for x in loader:
        total += model(x.to(device)).sum().item()
    return total


def main(train_set, other_set, batch_size):
    model = nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    both = DataLoader(train_set, batch_size=batch_size, shuffle=True)
    alone = DataLoader(train_set, batch_size=batch_size, shuffle=True)
    other = DataLoader(other_set, batch_size=batch_size)
    for epoch in range(9):
        train(model, both, optimizer)
        train(model, alone, optimizer)
        print(evaluate(model, both), evaluate(model, other))
