import torch
import torchvision as tv
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, Subset

BATCH = 64
model = nn.Sequential(nn.Flatten(), nn.LazyLinear(10)).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
digits = tv.datasets.MNIST("data", download=True, transform=tv.transforms.ToTensor())
held_out = tv.datasets.MNIST("data", train=False, transform=tv.transforms.ToTensor())
numbers = tv.datasets.SVHN("data", "extra", transform=tv.transforms.ToTensor())


def fit(loader):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        opt.zero_grad()
        loss.backward()
        opt.step()


for x, y in DataLoader(digits, batch_size=32, shuffle=True):
    loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
    opt.zero_grad()
    loss.backward()
    opt.step()
for x, y in DataLoader(held_out, batch_size=20000):
    loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
    opt.zero_grad()
    loss.backward()
    opt.step()
fit(DataLoader(digits, batch_size=BATCH, shuffle=True))
for x, y in DataLoader(numbers, batch_size=1000, shuffle=True):
    loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
    opt.zero_grad()
    loss.backward()
    opt.step()
for x, y in DataLoader(digits, batch_size=32, sampler=DistributedSampler(digits, shuffle=False)):
    loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
    opt.zero_grad()
    loss.backward()
    opt.step()
for x, y in DataLoader(Subset(digits, range(1001)), batch_size=20, shuffle=True):
    loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
    opt.zero_grad()
    loss.backward()
    opt.step()
