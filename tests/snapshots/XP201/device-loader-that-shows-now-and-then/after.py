import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from meters import Progress

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(64, 4))
progress = Progress()
for step, x in enumerate(pl.MpDeviceLoader(loader, device)):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    progress.losses.append(loss.detach())
    torch_xla.sync()
    if step % 10 == 0:
        progress.display(step)
