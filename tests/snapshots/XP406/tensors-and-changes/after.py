import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in torch.randn(100, 8, 4, device=device):
    x = model(batch)
    y = x * 1
    y.copy_(torch.where(y > 3, x, y))
    y.masked_fill_(y > 2, x.mean())
    kept = y < -1
    y.copy_(torch.where(kept, 1 - y, y))
    y.copy_(torch.where(kept, torch.where(kept, x * 2, 0).exp(), y))
    y.copy_(torch.where(~kept, y * 0.5, y))
    y.copy_(torch.where(y < -2, y - 1, y))
    y.copy_(torch.where(kept, y + (x * 3), y))
    y.copy_(torch.where(kept, y / -2, y))
    (y * 2).masked_fill_(y < 0, 0.0)
    loss = y.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
