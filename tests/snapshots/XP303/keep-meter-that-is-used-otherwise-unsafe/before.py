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


def train(history, log):
    shown = AverageMeter("Loss")
    kept = AverageMeter("Loss")
    handed = AverageMeter("Loss")
    changed = AverageMeter("Loss")
    displayed = AverageMeter("Loss")
    looked_into = AverageMeter("Loss")
    whole = AverageMeter("Loss")
    progress = ProgressMeter([displayed])
    history["loss"] = kept
    log(handed)
    for i, x in enumerate(loader):
        out = model(x.to(device))
        loss = out.mean()
        loss.backward()
        optimizer.step()
        shown.update(loss.item())
        kept.update(loss.item())
        handed.update(loss.item())
        changed.update(loss.item())
        displayed.update(loss.item())
        looked_into.update(loss.item())
        whole.update((out > 0).sum().item())
        print(f"{shown.avg:.3f}")
        progress.display()
    changed.avg = 3
    log(vars(looked_into), looked_into.__dict__)
    return whole.sum
