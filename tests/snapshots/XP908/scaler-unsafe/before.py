import torch
import torch_xla
from torch_xla.amp import GradScaler, autocast, syncfree

optimizer = syncfree.SGD(model.parameters(), lr=0.1)
scaler = GradScaler(init_scale=2.0**10, use_zero_grad=True)
with autocast(torch_xla.device()):
    loss = model(x).sum()
scaler.scale(loss).backward()
scaler.step(optimizer)
scaler.update()
