import time

import torch
import torch_xla
import torch_xla.core.xla_model as xm

model = torch.nn.Linear(4, 4).to("cuda")
x = torch.ones(2, 4, device="cuda")
model(x)
torch_xla.sync()
xm.wait_device_ops()
start = time.perf_counter()
for _ in range(10):
    y = model(x)
torch_xla.sync()
xm.wait_device_ops()
end = time.perf_counter()
elapsed = (end - start) * 1000
