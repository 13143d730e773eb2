import torch
from torch import nn


class AverageMeter:
    def __init__(self):
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
        self.avg = self.sum / self.count


def errors(output, target, topk=(1,)):
    batch_size = target.size(0)
    _, pred = output.topk(max(topk), 1, True, True)
    correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
    res = []
    for k in topk:
        correct_k = correct[:k].reshape(-1).float().sum(0, keepdim=True)
        wrong_k = batch_size - correct_k
        res.append(wrong_k.mul_(100.0 / batch_size))
    return res


device = torch.device("cuda")
model = nn.Linear(4, 10).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
top1 = AverageMeter()
for i, (x, y) in enumerate(torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)):
    x = x.to(device)
    y = y.to(device)
    output = model(x)
    loss = nn.functional.cross_entropy(output, y)
    err1, err5 = errors(output.data, y, topk=(1, 5))
    top1.update(err1.squeeze(), x.size(0))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if i % 10 == 0:
        print("error {top1.val:.4f} ({top1.avg:.4f})".format(top1=top1))
print(float(top1.avg))
