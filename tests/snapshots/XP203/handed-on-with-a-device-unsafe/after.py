import torch
from torch import nn


def train(model, optimizer, device):
    model.to(device)
    optimizer.step()


def main():
    device = torch.device("cuda")
    model = nn.Linear(20, 1)
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    train(model, optimizer, device)
