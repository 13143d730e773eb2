import torch


def train(model, optimizer, loader):
    for x in loader: model(x).mean().backward(); optimizer.step()
