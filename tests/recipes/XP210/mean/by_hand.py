import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

device = torch_xla.device()
import time

model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
last = time.time()
for n in range(4):
    loss = model(torch.ones(4, 8).to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if n % 10 == 0:
        torch_xla.sync()
        xm.wait_device_ops()
    now = time.time()
    took = now - last
    last = now
    if n % 10 == 0:
        print(took > 1000)
print(f"{loss.item():.5f}")
