import torch
import torch_xla
import torch_xla.core.xla_model as xm

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
    xm.add_step_closure(lambda loss: print(loss.item()), args=(loss,), run_async=True)
for x in pl.MpDeviceLoader(loader, device):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    xm.add_step_closure(lambda loss: print(loss.item()), args=(loss,), run_async=True)
for step, x in enumerate(pl.MpDeviceLoader(loader, device)):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    xm.add_step_closure(lambda loss: print(loss.item()), args=(loss,), run_async=True)
    if step > 3:
        torch_xla.sync()
        break
    if step > 2:
        continue
