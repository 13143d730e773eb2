import torch
import torch_xla
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8).long()), batch_size=4)
for x, y in loader:
    if args.gpu:
        x, y = x.to(device), y.to(device)
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    parts = x.chunk(2)
    loss = sum(model(x).sum() for x in [x.to(device) for x in parts]) + y.to(device).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    def move(x):
        return x.to(device)
    loss = F.cross_entropy(model(move(x)), move(y))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    if len(x) == 2:
        x = torch.zeros(8, 4)
    z = x * 2
    loss = F.cross_entropy(model(z.to(device)), y.to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    loss = F.cross_entropy(model(x.to(device) if args.gpu else x), y.to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    later = lambda: model(x.to(device))
    loss = F.cross_entropy(later(), y.to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    if len(x) < 4:
        y = torch.zeros(len(x), dtype=torch.long)
    x, y = x.to(device), y.to(device)
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    noise = torch.tensor([float(x) for x in range(4)])
    x = (x + noise).to(device)
    y = y.to(device)
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    loss = F.cross_entropy(model((x).to(device)), y.to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
