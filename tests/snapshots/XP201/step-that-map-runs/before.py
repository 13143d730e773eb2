import functools

import torch
from torch import nn
from torch.utils.data import DataLoader

dl = DataLoader(torch.randn(32, 4), batch_size=4, drop_last=True)
model = nn.Linear(4, 1).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)


def step(x):
    l = model(x.cuda()).mean()
    opt.zero_grad()
    l.backward()
    opt.step()
    return l


for l in map(step, dl):
    print(l.item())


class Trainer:
    def __init__(self, model, opt):
        self.model, self.opt = model, opt

    def step(self, scale, x):
        loss = self.model(x.cuda()).mean() * scale
        loss.backward()
        self.opt.step()
        return loss


trainer = Trainer(model, opt)
for i, l in enumerate(map(functools.partial(trainer.step, 2), dl)):
    if i % 10 == 0:
        print(l.item())
