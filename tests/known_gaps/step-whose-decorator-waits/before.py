import torch
from torch import nn
from torch.utils.data import DataLoader
import torch.nn.functional as F

dl = DataLoader(torch.randn(32, 4), batch_size=4, drop_last=True)
import functools, time


def timed(f):
    @functools.wraps(f)
    def w(*a, **k):
        t = time.perf_counter()
        r = f(*a, **k)
        torch.cuda.synchronize()
        print(f.__name__, time.perf_counter() - t)
        return r

    return w


def to_cuda(f):
    @functools.wraps(f)
    def w(*a):
        return f(*[x.cuda() for x in a])

    return w


model = nn.Linear(4, 1).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)


@timed
@to_cuda
def step(x):
    l = model(x).mean()
    opt.zero_grad()
    l.backward()
    opt.step()
    return l


for x in dl:
    step(x)
