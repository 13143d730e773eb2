import torch
from torch_xla.amp import syncfree

optimizer = syncfree.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("xla", enabled=False)
with torch.autocast("xla", dtype=torch.bfloat16):
    loss = model(x).sum()
scaler.scale(loss).backward()
scaler.step(optimizer)
scaler.update()
