import torch
from torch import nn

device = torch.device("cuda")


def train(model, optimizer):
    model.to(device)
    return optimizer


def main(args):
    model = nn.Linear(4, 2)
    if args.sgd:
        optimizer = torch.optim.SGD(model.parameters(), lr=1)
    else:
        optimizer = torch.optim.Adam(model.parameters())
    train(model, optimizer)
