import torch
from torch import nn

device = torch.device("cuda")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.to(device)


def train(model, optimizer):
    model.to(device)
    return optimizer


def train_all(models, optimizers):
    for model in models:
        model.to(device)
    return optimizers


def setup(model):
    model.to(device)


def export(model, where):
    model.to(where)


def folds():
    model = nn.Linear(2, 2)
    model.to(device)
    for _ in range(3):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        train(model, optimizer)


def by_a_function():
    model = nn.Linear(2, 2)
    setup(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, optimizer)


def by_itself():
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, optimizer)


def several():
    nets = [nn.Linear(2, 2).to(device) for _ in range(3)]
    optimizers = [torch.optim.SGD(net.parameters(), lr=0.1) for net in nets]
    train_all(nets, optimizers)


def another(x):
    model = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(x).sum().backward()
    optimizer.step()
    model = nn.Linear(2, 2)
    train(model, None)


def written():
    model = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    export(model, "cpu")
    return optimizer
