import torch
from torch import nn
from torch.utils.data import DataLoader

import meters
from meters import AverageMeter

device = torch.device("xla")


def train(loader, model, optimizer):
    losses = AverageMeter("Loss")
    others = meters.LossMeter("Other")
    for i, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        losses.update(val=loss.item(), n=len(x))
        others.update(loss.item())

        if i % 10 == 0:
            print("loss {losses.val:.3f}".format(losses=losses), others.average())
    return losses.avg, others.average()


def evaluate(loader, model):
    losses = AverageMeter("Loss")

    def run():
        for i, x in enumerate(loader):
            loss = model(x.to(device)).mean()
            losses.update(loss.item())
            if i % 10 == 0:
                print(losses)

    with torch.no_grad():
        run()
    return losses.avg


model = nn.Linear(4, 1).to(device)
train(DataLoader(torch.zeros(8, 4)), model, torch.optim.SGD(model.parameters(), lr=0.1))
evaluate(DataLoader(torch.zeros(8, 4)), model)
