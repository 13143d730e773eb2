import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8)), batch_size=4)
total = torch.zeros((), device=device)
for i, (x, y) in enumerate(pl.MpDeviceLoader(loader, device)):
    loss = (model(x) - y).mean()
    loss.backward()
    optimizer.step()
    total += loss.detach()
    torch_xla.sync()
for x, y in pl.MpDeviceLoader(loader, device):
    loss = (model(x) - y).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(loss.item())
print(total.item())
