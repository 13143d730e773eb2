import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader, TensorDataset

model = torch.nn.Linear(4, 1).to(torch_xla.device())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8)), batch_size=4)
for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
    loss = (model(x) - y).mean()
    loss.backward()
    optimizer.step()
