import time
from time import perf_counter

import torch
import torch_xla
import torch_xla.core.xla_model as xm

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

for epoch in range(3):
    start = time.time()
    for x in loader:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
    xm.wait_device_ops()
    end = time.time()
    print(f"epoch {epoch}: {end - start:.1f} s")

# Without a loop of its own.
with torch.no_grad():
    t0 = perf_counter()
    out = model(torch.zeros(1, 4, device=device))
    torch_xla.sync()
    xm.wait_device_ops()
    print("one batch:", perf_counter() - t0)
    print(out)


def train():
    for x in loader:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()


begin = time.time()
train()
xm.wait_device_ops()
print("epoch:", time.time() - begin)
