import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(4, 2).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)


def step(x):
    loss = model(x.cuda()).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


def by_loader(loader):
    total = 0.0
    for (x,) in loader:
        loss = model(x.cuda()).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * x.size(0)
    return total / len(loader.dataset)


def by_rows(x, y, size):
    total = 0.0
    for i in DataLoader(range(y.size(0)), size, shuffle=True):
        loss = (model(x[i].cuda()).mean() - y[i].cuda()).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += float(loss) * i.numel()
    count = y.shape[0]
    total /= count
    return total


def by_batches(data):
    total = seen = 0
    loader = DataLoader(data, batch_size=32, shuffle=True)
    for (x,) in loader:
        loss = model(x.cuda()).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
        seen += len(x)
    print(len(data) / seen)
    return total / len(loader)


data = TensorDataset(torch.zeros(10, 4))
print(by_loader(DataLoader(data, batch_size=32, shuffle=True)))
print(by_rows(torch.zeros(10, 4), torch.zeros(10), 3))
print(by_batches(data))
