import time

import torch
from torch import nn
from torch.utils.data import DataLoader


class AverageMeter:
    def __init__(self, name, fmt=":f"):
        self.name = name
        self.fmt = fmt
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count if self.count else 0

    def __str__(self):
        return ("{name} {val" + self.fmt + "} ({avg" + self.fmt + "})").format(**self.__dict__)


class ProgressMeter:
    def __init__(self, meters):
        self.meters = meters

    def display(self):
        print("\t".join(str(meter) for meter in self.meters))


device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def train(writer, epoch):
    losses = AverageMeter("Loss", ":.4e")
    hits = AverageMeter("Hits")
    batch_time = AverageMeter("Time", ":6.3f")
    progress = ProgressMeter([batch_time, losses])
    end = time.time()
    for i, x in enumerate(loader):
        out = model(x.to(device))
        loss = out.mean()
        losses.update(loss.detach(), x.size(0))
        hits.update((out > 0).sum())
        loss.backward()
        optimizer.step()
        batch_time.update(time.time() - end)
        if i % 10 == 0:
            progress.display()
            print(f"{losses.val:.3f} {losses.avg}", "%d %s %.2f" % (hits.sum, losses.name, losses.avg), losses)
    writer.add_scalar("loss", float(losses.avg), epoch)
    print("{0.avg:.3f} {top.avg:.3f}".format(losses, top=hits))
    return float(losses.avg)


train(None, 0)
