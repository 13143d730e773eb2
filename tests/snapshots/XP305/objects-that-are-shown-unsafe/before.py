import time

import torch
import torch_xla
from torch import nn

device = torch_xla.device()


class Meter:
    def __init__(self, name, fmt=":f"):
        self.name = name
        self.fmt = fmt
        self.reset()

    def reset(self):
        self.val = 0
        self.sum = 0
        self.avg = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count

    @property
    def label(self):
        return self.name.upper()

    def __str__(self):
        return f"{self.label} {self.val:.3f} ({self.avg:.3f})"


class Progress:
    def __init__(self, batches, meters, prefix=""):
        self.fmt = self._format(batches)
        self.meters = meters
        self.prefix = prefix

    def display(self, batch):
        entries = [self.prefix + self.fmt.format(batch)]
        entries += [str(meter) for meter in self.meters]
        print("\t".join(entries))

    def _format(self, batches):
        return "[{:" + str(len(str(batches))) + "d}/" + str(batches) + "]"


class Trainer:
    def __init__(self, model, loader):
        self.model = model.to(device)
        self.loader = loader
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.losses = Meter("Loss")

    def train(self):
        progress = Progress(len(self.loader), [self.losses])
        for i, x in enumerate(self.loader):
            loss = self.model(x.to(device)).mean()
            self.losses.update(loss.detach(), len(x))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            torch_xla.sync()
            progress.display(i + 1)


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    timer, losses = Meter("Time"), Meter("Loss")
    progress = Progress(len(loader), [timer, losses])
    end = time.time()
    for i, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        losses.update(loss.detach(), len(x))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        timer.update(time.time() - end)
        end = time.time()
        if i % 10 == 0:
            progress.display(i + 1)


def validate(model, loader):
    losses = Meter("Loss")
    with torch.no_grad():
        for i, x in enumerate(loader):
            loss = model(x.to(device)).mean()
            losses.update(loss, len(x))
            torch_xla.sync()
            print(f"{i}: {losses}")


def by_format(model, loader):
    losses = Meter("Loss")
    with torch.no_grad():
        for i, x in enumerate(loader):
            loss = model(x.to(device)).mean()
            losses.update(loss, len(x))
            torch_xla.sync()
            if i % 10 == 0:
                print("[{0}/{1}] {loss.val:.3f} ({loss.avg:.3f})".format(i + 1, len(loader), loss=losses))


def text_of(meter):
    return f"{meter.val:.3f}"


def by_a_function(model, loader):
    losses = Meter("Loss")
    with torch.no_grad():
        for i, x in enumerate(loader):
            loss = model(x.to(device)).mean()
            losses.update(loss, len(x))
            torch_xla.sync()
            print(i, text_of(losses))


loader = [torch.randn(4, 8) for _ in range(30)]
model = nn.Linear(8, 1).to(device)
train(model, loader)
validate(model, loader)
Trainer(nn.Linear(8, 1), loader).train()
by_format(model, loader)
by_a_function(model, loader)
