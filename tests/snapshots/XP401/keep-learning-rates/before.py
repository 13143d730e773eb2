import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scale = 1024.0
for step in range(1000):
    rate = 0.1 * min(1.0, step / 100) * 0.99**step
    for group in optimizer.param_groups:
        group["lr"] = rate
        group["weight_decay"] = 0.01 * (1 - step / 1000)
        group["betas"] = (0.9, 1 - 1 / (step + 2))
    loss = model(torch.randn(4, 8, device=device)).mean() * scale
    scale *= 0.99
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
