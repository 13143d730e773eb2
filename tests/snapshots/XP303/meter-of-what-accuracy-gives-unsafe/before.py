import torch
from torch import nn

device = "cuda"
model = nn.Linear(8, 10).to(device)
data = [(torch.randn(16, 8), torch.randint(0, 10, (16,))) for _ in range(30)]


def accuracy(output, target, topk=(1,)):
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


class AverageMeter:
    def __init__(self):
        self.sum = 0.0
        self.count = 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


top1 = AverageMeter()
model.eval()
with torch.no_grad():
    for x, y in data:
        out = model(x.to(device))
        acc1, acc5 = accuracy(out, y.to(device), (1, 5))
        batch_top1 = acc1[0]
        top1.update(batch_top1.item(), x.size(0))
print(top1.avg)
