import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8).long()), batch_size=4)
for i, (x, y) in enumerate(pl.MpDeviceLoader(loader, device)):
    out = model(x)
    loss = nn.functional.cross_entropy(out, y) * x.size(0)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in pl.MpDeviceLoader(loader, device):
    images = batch[0]
    labels = batch[1]
    loss = nn.functional.cross_entropy(model(images), labels) / len(batch[0])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
