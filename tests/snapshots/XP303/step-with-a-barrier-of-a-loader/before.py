import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
loader = pl.MpDeviceLoader(DataLoader(TensorDataset(torch.zeros(8, 2))), device)
model = torch.nn.Linear(2, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = torch.zeros(1, device=device)
for (x,) in loader:
    loss = model(x).sum()
    optimizer.zero_grad()
    loss.backward()
    xm.optimizer_step(optimizer, barrier=True)
    total += loss.detach()
print(total.item())
