import torch
from torch import nn
from torch.utils.data import DataLoader
import torch.nn.functional as F


def place(*modules, device):
    return [m.to(device) for m in modules]


def apply_all(fns, *a, **k):
    return [f(*a, **k) for f in fns]


enc, dec = nn.Linear(4, 2), nn.Linear(2, 4)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters()])
enc, dec = place(enc, dec, device="cuda")


def fwd(x, **kw):
    return F.mse_loss(dec(enc(x)), x)


def log(loss, *, step, **_):
    print(step, loss.item())


for i, x in enumerate(DataLoader(torch.randn(32, 4), batch_size=4)):
    x = x.cuda()
    loss = fwd(x)
    loss.backward()
    apply_all([opt.step, opt.zero_grad])
    apply_all([log], loss, step=i)
