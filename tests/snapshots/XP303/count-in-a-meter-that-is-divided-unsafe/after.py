import torch
from torch import nn


class Meter:
    def __init__(self):
        self.sum = 0
        self.count = 0

    def update(self, value, number=1):
        self.sum += value * number
        self.count += number

    def average(self):
        return self.sum / self.count


@torch.no_grad()
def accuracy(model, loader):
    correct, share = Meter(), Meter()
    for x, y in loader:
        hits = model(x.cuda()).argmax(1).eq(y.cuda())
        correct.update(hits.sum())
        share.update(hits.sum())
    return float(correct.sum) / len(loader.dataset), 100.0 * float(share.average())


@torch.no_grad()
def number(model, loader):
    correct = Meter()
    for x, y in loader:
        correct.update(model(x.cuda()).argmax(1).eq(y.cuda()).sum().item())
    return correct.sum


data = torch.utils.data.DataLoader(list(zip(torch.rand(8, 4), torch.randint(3, (8,)))), batch_size=4, drop_last=True)
net = nn.Linear(4, 3).cuda()
print(accuracy(net, data), number(net, data))
