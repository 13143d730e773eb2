import torch
from torch import nn


def folds(loaders):
    model = None
    for loader in loaders:
        model = nn.Linear(4, 1).cuda()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in loader:
            loss = model(x.cuda()).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    model.cuda()
    return model


folds([[torch.rand(2, 4)] * 4])
