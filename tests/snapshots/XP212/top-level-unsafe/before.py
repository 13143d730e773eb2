import time

import torch

model = torch.nn.Linear(4, 4).to("cuda")
x = torch.ones(2, 4, device="cuda")
model(x)
start = torch.cuda.Event(enable_timing=True)
end = torch.cuda.Event(enable_timing=True)
start.record()
for _ in range(10):
    y = model(x)
end.record()
elapsed = start.elapsed_time(end)
