import torch
from torch import nn


def train(loader, limit):
    model = nn.Linear(4, 2).cuda()
    opt = torch.optim.Adam(model.parameters())
    stop = False
    for x in loader:
        loss = model(x.cuda()).mean()
        if loss > limit:
            stop = True
        if stop:
            continue
        opt.zero_grad()
        loss.backward()
        opt.step()
