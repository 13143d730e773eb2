from functools import partial
import torch
from torch import nn





class Holder:
    pick = {"m": lambda x: x.gt(0)}


def masks(x):
    yield x > 0.5


model = nn.Linear(7, 1).to("xla")
optimizer = torch.optim.Adam(model.parameters())
for _ in range(40):
    x = torch.randn(12, 7).to("xla")

    a2 = torch.where((x[:, 0] > 0).unsqueeze(-1), x, 0).sum()
    a3 = x[Holder.pick["m"](x)].sum()
    a4 = x[next(masks(x))].sum()
    above = partial(torch.gt, x)
    a5 = x[above(0.5)].sum()
    sel = [x > 0, x < 0]
    a6 = sum(torch.where(m, x, 0).sum() for m in sel)
    pack = {"m": {"in": x > 0}}
    a7 = torch.where(pack["m"]["in"], x, 0).sum()
    idx = {"i": torch.arange(3, device="xla")}
    a8 = x[idx["i"]].sum()
    loss = model(x).sum() + a2 + a3 + a4 + a5 + a6 + a7 + a8
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
