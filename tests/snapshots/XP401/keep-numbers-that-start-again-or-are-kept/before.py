import torch
from torch import nn

model = nn.Sequential(nn.Embedding(30, 8), nn.Linear(8, 30)).cuda()
optimizer = torch.optim.Adam(model.parameters())
text = torch.randint(30, (6, 64)).cuda()
loader = [text for _ in range(50)]
cache, table = {}, {"n": 0}


def step(ids, it, scale=1):
    loss = nn.functional.cross_entropy(model(ids).transpose(1, 2), ids) * scale
    if it == 0:
        loss = loss + text[:, : it + 1].sum() * 0
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if it % 100 == 0:
        print(text[:, :it].sum())
    return it


def count(xs):
    n = 0
    for _ in xs:
        n += 1
    return n


def blocks(x, size):
    for start in range(0, 64, size):
        yield x[:, start : start + size]


def bump(box):
    box["n"] += 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(12)])

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x) + x[:, i : i + 1]
        return x


size = None
for it, ids in enumerate(loader):
    if size is None:
        size = count(ids)
    if "n" not in cache:
        cache["n"] = count(ids)
    part = text[:, :size] + text[:, : cache["n"]]
    n = 0
    for _ in range(5):
        n += 1
        table["n"] = n
    step(text[:, :n], it)
    step(text[:, : table["n"]], it, scale=it)
    for block in blocks(text, 8):
        part = part[:, :3] + block.sum()
    box = {"n": 3}
    bump(box)
    step(text[:, : box["n"]], it)
    rows = []
    rows.append(ids)
    joined = torch.cat(rows)
    joined = torch.cat([joined, ids])
    step(joined[:6], it)

net = Net().cuda()
for it, _ in enumerate(loader):
    y = net(torch.randn(4, 8).cuda()).sum()
    optimizer.zero_grad()
    y.backward()
    optimizer.step()
