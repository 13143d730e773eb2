import torch
from torch import nn
from torch.utils.data import DataLoader

dl = DataLoader(torch.randn(32, 4), batch_size=4, drop_last=True)
model = nn.Linear(4, 1).to("xla")
opt = torch.optim.SGD(model.parameters(), lr=0.1)


def scaled(x):
    return x / 2


def fit(x):
    opt.zero_grad()
    model(x.to("xla")).mean().backward()
    opt.step()
    yield x.mean()


for x in map(scaled, dl):
    print(x.sum())
for steps in map(fit, dl):
    print(steps)
