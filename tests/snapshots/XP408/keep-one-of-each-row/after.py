import torch
import torch.nn.functional as F
from torch import nn


def attack(loader, classes):
    model = nn.Linear(8, 4).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, labels in loader:
        outputs = model(x.cuda())
        one_hot = torch.eye(classes, device="cuda")[labels.cuda()]
        true = torch.masked_select(outputs, one_hot.bool())
        hot = F.one_hot(labels.cuda(), classes) == 1
        again = outputs[hot]
        loss = torch.clamp(true - again.cumsum(0), min=0).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
