import argparse

import torch
from torch import nn


class Average:
    def __init__(self, model):
        self.model = nn.Linear(4, 1).cuda()

    def update(self, model):
        for slow, fast in zip(self.model.parameters(), model.parameters()):
            slow.data.mul_(0.99).add_(fast.data, alpha=0.01)


parser = argparse.ArgumentParser()
parser.add_argument("--average", action="store_true")
args = parser.parse_args()
model = nn.Linear(4, 1).cuda()
average = Average(model) if args.average else None
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.ones(3, 2, 4):
    optimizer.zero_grad()
    loss = model(x.cuda()).mean()
    loss.backward()
    optimizer.step()
    if average is not None:
        average.update(model)
    print(loss.item())
for step, x in enumerate(torch.ones(3, 2, 4)):
    optimizer.zero_grad()
    loss = model(x.cuda()).mean()
    loss.backward()
    optimizer.step()
    if args.average:
        average.update(model)
    if step % 100 == 0:
        average.update(model)
    print(loss.item())
