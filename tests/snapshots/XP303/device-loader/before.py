import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

total = torch.zeros((), device=device)
for x in pl.MpDeviceLoader(loader, device):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    total += loss.detach()

for x in pl.MpDeviceLoader(loader, device):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    total += loss.detach()
    if total.item() > 3:
        break
