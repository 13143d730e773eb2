import torch
import torch_xla
from torch import nn


class Meter:
    def __init__(self):
        self.sum = self.count = 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n


def validate(loader, model):
    losses, batches = Meter(), Meter()
    found = []
    with torch.no_grad():
        for i, (x, y) in enumerate(loader):
            output = model(x)
            loss = nn.functional.cross_entropy(output, y)
            batches.update(1)
            found.append(output.argmax(1))
            torch_xla.sync()
            losses.update(loss.item(), len(x))
            if i % 10 == 0:
                print("{i} {losses.sum}".format(i=i, losses=losses))
    return losses.sum, found


validate(torch.utils.data.DataLoader([]), nn.Linear(4, 3).to("xla"))
