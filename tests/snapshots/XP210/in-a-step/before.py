import time

import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))
times = []

for x in loader:
    start = time.time()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync(wait=True)
    times.append(time.time() - start)

# The clock that the last pass started; a read now and then, behind the difference.
t0 = time.time()
for i, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    t1 = time.time()
    dt = t1 - t0
    t0 = t1
    if i % 10 == 0:
        print(f"loss {loss.item():.4f}, time {dt * 1000:.2f}ms")
