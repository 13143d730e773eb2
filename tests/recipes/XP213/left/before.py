import torch
import torch_xla
from torch import nn

device = torch_xla.device()
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader

model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loader = DataLoader(torch.ones(64, 8), batch_size=8, drop_last=True)
for epoch in range(2):
    for n, x in enumerate(pl.MpDeviceLoader(loader, device)):
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if n == 3:
            break
print(f"{loss.item():.5f}")
