import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8).long()), batch_size=4)
for batch in loader:
    x, y = map(lambda t: t.to(device), batch)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    x, y = (part.to(device, non_blocking=True) for part in batch)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    batch = tuple(t.to(device) for t in batch)
    x, y = batch
    loss = nn.functional.cross_entropy(model(x), batch[1]) + len(batch[0])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    batch = [t.to(device) for t in batch]
    loss = nn.functional.cross_entropy(*map(model, batch[:1]), batch[1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    moved = tuple(map(lambda t: t.to(device), batch))
    loss = nn.functional.cross_entropy(model(moved[0]), moved[1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    batch = tuple(t.to(device) for t in batch)
    loss = step(model, batch)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    x, y = map(lambda t: t.to(device), (x, y))
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    a, b = [t.to(device) for t in (x, y)]
    loss = nn.functional.cross_entropy(model(a), b)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    batch = tuple(t.to(device) for t in batch)
    loss = nn.functional.cross_entropy(model(*batch[:-1]), batch[-1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    batch = tuple(t.to(device) for t in batch)
    x, y = batch[:2] + (None,)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
