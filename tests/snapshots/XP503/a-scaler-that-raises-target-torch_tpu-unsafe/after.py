import torch
from torch import nn

model = nn.Linear(4, 4).to("tpu")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda", enabled=False)
for step in range(8):
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = model(torch.ones(2, 4, device="tpu")).mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
