import copy

import torch
from torch import nn

device = torch.device("cuda")


class EMA:
    def __init__(self, model):
        model = copy.deepcopy(model)
        self.ema = model
        self.ema.to(device)


class Average:
    def __init__(self, model):
        self.module = model
        self.module = copy.deepcopy(self.module)
        self.module.to(device)


class Holder:
    def __init__(self, model):
        self.model = model


class Teacher(Holder):
    def prepare(self):
        self.model.to(device)


class Saver:
    def __init__(self, model):
        self.cpu = torch.device("cpu")
        self.model = model

    def save(self):
        self.model.to(self.cpu)


class Engine:
    def __init__(self, model):
        self.model = model
        self.model.to(device)


class Run:
    def __init__(self):
        self.model = nn.Linear(2, 2).to(device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.engine = Engine(self.model)


model = nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
EMA(model)
Average(model)
Holder(model)
Saver(model).save()
Teacher(nn.Linear(2, 2)).prepare()
