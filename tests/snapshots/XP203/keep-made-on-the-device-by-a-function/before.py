import torch
from torch import nn
def build(device):
    model = nn.Linear(2, 2)
    return model.to(device)
def build2(device):
    model = nn.Linear(2, 2)
    model.to(device)
    return model
class Trainer:
    def __init__(self, model, optimizer, device):
        self.device = device
        self.model = model
        self.optimizer = optimizer
        self.model.to(self.device)
    def save(self):
        self.model.to(self.device)
device = torch.device("cuda")
model = build(device)
opt = torch.optim.SGD(model.parameters(), lr=.1)
Trainer(model, opt, device).save()
model2 = build2(device)
opt2 = torch.optim.SGD(model2.parameters(), lr=.1)
Trainer(model2, opt2, device).save()
def build3(device):
    model = nn.Linear(2, 2).to(device)
    return model, 3
model3, n = build3(device)
opt3 = torch.optim.SGD(model3.parameters(), lr=.1)
Trainer(model3, opt3, device).save()
