import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

import torch_xla.distributed.parallel_loader as pl

# The loader cuts the graph, and runs the closures there.
for x in pl.MpDeviceLoader(loader, device):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
for x in pl.MpDeviceLoader(loader, device):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(loss.item())
for step, x in enumerate(pl.MpDeviceLoader(loader, device)):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
    if step > 3:
        break
    if step > 2:
        continue
