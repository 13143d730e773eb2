import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8).long()), batch_size=4)
for batch in loader:
    batch = map(lambda t: t.to(device), batch)
    x, y = batch
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    x, y = [t.to(device) for t in batch if t is not None]
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    x, y = [t.to(device) for t in reversed(batch)]
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    x, y = [t.to(device).float() for t in batch]
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    x, y = [t.to(device) for t in batch]
    print(batch[1].tolist())
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    x, y = batch[0].to(device), batch[1].to(torch.device("cpu"))
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    batch = batch.to(device)
    x, y = batch[0], batch[1]
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    x, y = batch[i].to(device), batch[1].to(device)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    if len(x) > 2:
        x = x.to(device)
    loss = nn.functional.cross_entropy(model(x), y.to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device)) * (y > 0).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    a, b = map(lambda t, u: t.to(device), (x, y), (y, x))
    loss = nn.functional.cross_entropy(model(a), b)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
