import torch
from torch import nn
from torchinfo import summary

device = torch.device("cuda")


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        summary(model, torch.ones(1, 2))
        self.model.to(device)


class Checked:
    def __init__(self, model, optimizer):
        self.model = model
        self.check()
        self.model.to(device)

    def check(self):
        print(self.model(torch.ones(1, 2)))


model = nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
Trainer(model, optimizer)
other = nn.Linear(2, 2)
another = torch.optim.SGD(other.parameters(), lr=0.1)
Checked(other, another)
