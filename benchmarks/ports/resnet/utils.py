"""Meters, the accuracy over the top k, checkpoints."""

import shutil

import torch
import torch_xla.core.xla_model as xm


class AverageMeter:
    """Keeps the latest value and the sum of all, on the device if it is given one, and reads them to show them."""

    def __init__(self, name, fmt=":f", device=None):
        self.name = name
        self.fmt = fmt
        self.val = 0
        self.sum = 0.0 if device is None else torch.zeros((), device=device)
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return float(self.sum) / self.count

    def __str__(self):
        fmtstr = "{name} {val" + self.fmt + "} ({avg" + self.fmt + "})"
        return fmtstr.format(name=self.name, val=float(self.val), avg=self.avg)


class ProgressMeter:
    def __init__(self, num_batches, meters, prefix=""):
        num_digits = len(str(num_batches))
        self.batch_fmtstr = "[{:" + str(num_digits) + "d}/" + str(num_batches) + "]"
        self.meters = meters
        self.prefix = prefix

    def display(self, batch):
        entries = [self.prefix + self.batch_fmtstr.format(batch)]
        entries += [str(meter) for meter in self.meters]
        print("\t".join(entries))

    def display_summary(self):
        print(" * " + " ".join(f"{meter.name} {meter.avg:.3f}" for meter in self.meters))


def accuracy(output, target, topk=(1,)):
    """The percentage of samples whose label is among the k best guesses, for each k."""
    with torch.no_grad():
        maxk = max(topk)
        batch_size = target.size(0)

        _, pred = output.topk(maxk, 1, True, True)
        pred = pred.t()
        correct = pred.eq(target.view(1, -1).expand_as(pred))

        res = []
        for k in topk:
            correct_k = correct[:k].reshape(-1).float().sum(0, keepdim=True)
            res.append(correct_k.mul_(100.0 / batch_size))
        return res


def save_checkpoint(state, is_best, filename="checkpoint.pth.tar"):
    xm.save(state, filename)
    if is_best:
        shutil.copyfile(filename, "model_best.pth.tar")
