import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8).long()), batch_size=4)
for batch in pl.MpDeviceLoader(loader, device):
    x, y = batch
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in pl.MpDeviceLoader(loader, device):
    x, y = batch
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in pl.MpDeviceLoader(loader, device):
    x, y = batch
    loss = nn.functional.cross_entropy(model(x), batch[1]) + len(batch[0])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in pl.MpDeviceLoader(loader, device):
    loss = nn.functional.cross_entropy(*map(model, batch[:1]), batch[1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in pl.MpDeviceLoader(loader, device):
    moved = tuple(batch)
    loss = nn.functional.cross_entropy(model(moved[0]), moved[1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in pl.MpDeviceLoader(loader, device):
    batch = tuple(batch)
    loss = step(model, batch)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in pl.MpDeviceLoader(loader, device):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in pl.MpDeviceLoader(loader, device):
    a, b = (x, y)
    loss = nn.functional.cross_entropy(model(a), b)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in pl.MpDeviceLoader(loader, device):
    loss = nn.functional.cross_entropy(model(*batch[:-1]), batch[-1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in pl.MpDeviceLoader(loader, device):
    batch = tuple(batch)
    x, y = batch[:2] + (None,)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
