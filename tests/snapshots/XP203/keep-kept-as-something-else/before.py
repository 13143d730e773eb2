import copy

import torch
from torch import nn


class Trainer:
    def __init__(self, model, other, optimizer, device):
        self.device = device
        self.teacher = copy.deepcopy(model)
        self.student = other
        self.teacher.to(self.device)
        self.student.to(self.device)


class Saver:
    def __init__(self, model, device):
        self.model = model
        self.device = device

    def restore(self):
        self.model.to(self.device)


device = torch.device("cuda")
model = nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
Trainer(model, nn.Linear(2, 2), optimizer, device)
Saver(model, device)
