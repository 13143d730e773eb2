"""A helper appends its accuracies to a list, which is unpacked; the meters that take them are shown in each step."""
import torch
from torch import nn


class Meter:
    def __init__(self):
        self.sum = self.count = self.mean = 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n
        self.mean = self.sum / self.count


def accuracy(output, target, topk):
    found = []
    right = output.topk(max(topk), 1)[1].t().eq(target.view(1, -1))
    for k in topk:
        found.append(right[:k].reshape(-1).float().sum(0).mul_(100 / target.size(0)))
    return found


model = nn.Linear(6, 8).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
first, fifth = Meter(), Meter()
for step in range(40):
    x, y = torch.randn(8, 6).cuda(), torch.randint(8, (8,)).cuda()
    output = model(x)
    one, five = accuracy(output, y, (1, 5))
    first.update(one, 8)
    fifth.update(five, 8)
    optimizer.zero_grad()
    nn.functional.cross_entropy(output, y).backward()
    optimizer.step()
    print("top1 {a:.2f}".format(a=first.mean))  # wants: XP301|XP302|XP303|XP304|XP305|XP306|XP308
