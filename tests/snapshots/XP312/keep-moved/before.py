import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("xla")
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.arange(64)), batch_size=8)
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

kept = []


def computes(out, target):
    return (out * target[:, None]).mean() + len(target.cpu())


def changes(out, target):
    labels = target.cpu()
    labels[labels > 3] = 0
    return out.mean() * len(torch.unique(labels))


def keeps(out, target):
    kept.append(target.cpu())
    return out.mean()


def shares(out, target):
    labels = target.cpu().numpy()
    labels += 1
    return out.mean() * labels.size


def hands_on(out, target):
    return unseen(out, target) * len(target.cpu())


for x, y in loader:
    out = model(x.to(device))
    a = y.to(device)
    loss = computes(out, a)
    b = y.to(device)
    loss = loss + changes(out, b)
    c = y.to(device)
    loss = loss + keeps(out, c)
    d = y.to(device)
    loss = loss + shares(out, d)
    e = y.to(device)
    loss = loss + hands_on(out, e)
    f = y.to(device)
    y.add_(1)
    loss = loss + len(torch.unique(f.cpu()))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

for x, y in loader:
    y = y.to(device)
    loss = model(x.to(device))[y].mean() * len(torch.unique(y.cpu()))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

for x, y in loader:
    w = torch.ones(8, device=device)
    if len(x) > 4:
        w = y.to(device)
    loss = model(x.to(device)).mean() * len(torch.unique(w.cpu()))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

one = torch.ones(3)
there = one.to(device)
print(there.cpu())
