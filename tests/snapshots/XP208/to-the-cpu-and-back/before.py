import torch
from torch import nn


def train(model, device, epochs):
    model.to(device)
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        model.train()
        optimizer.step()
        model.cpu()
        torch.save(model.state_dict(), f"{epoch}.pt")
        model.to(device)


class Trainer:
    def __init__(self, model):
        self.model = model.cuda()
        self.optimizer = torch.optim.Adam(self.model.parameters())

    def train(self):
        self.model.cuda()
        self.optimizer.step()

    def save(self, path):
        torch.save(self.model.to("cpu").state_dict(), path)
