import torch
from torch import nn
def build(device):
    model = nn.Linear(2, 2)
    model.to(device)
    opt = torch.optim.SGD(model.parameters(), lr=.1)
    return model.to(device), opt
def build2(device):
    model = nn.Linear(2, 2)
    opt = torch.optim.SGD(model.parameters(), lr=.1)
    model(torch.ones(2))
    return model.cuda()
build(torch.device("cuda")); build2(0)
