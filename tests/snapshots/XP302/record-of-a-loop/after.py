import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()
g, d = nn.Linear(2, 2).to(device), nn.Linear(2, 1).to(device)
opt_g, opt_d = torch.optim.SGD(g.parameters(), lr=0.1), torch.optim.SGD(d.parameters(), lr=0.1)


def train_d(x):
    loss = d(x).mean() - d(g(x).detach()).mean()
    log = {"d": loss.detach(), "real": d(x).mean().detach()}
    opt_d.zero_grad()
    loss.backward()
    opt_d.step()
    return log


def train_g(x):
    loss = d(g(x)).mean()
    opt_g.zero_grad()
    loss.backward()
    opt_g.step()
    with torch.no_grad():
        log = dict(g=loss.detach(), bias=g.bias.mean())
    return log


seen = {}
for step, x in enumerate(DataLoader(torch.rand(8, 2), batch_size=4)):
    x = x.to(device)
    log = {"step": step, **train_d(x)}
    log.update(train_g(x), kind="gan")
    torch_xla.sync()
    log = {name: value.item() if isinstance(value, torch.Tensor) else value for name, value in log.items()}
    seen.update(log)
    print(log)
