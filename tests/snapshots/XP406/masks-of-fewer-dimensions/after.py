import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in torch.randn(100, 8, 4, device=device):
    x = model(batch)
    y = x * 1
    rows = batch.sum(1) > 0
    y.masked_fill_(rows[(...,) + (None,) * (y.dim() - rows.dim())], 1.0)
    y.copy_(torch.where(rows[(...,) + (None,) * (y.dim() - rows.dim())], y * 2, y))
    y.copy_(torch.where(rows[(...,) + (None,) * (y.dim() - rows.dim())], x, y))
    low = y < 0
    y = y * x
    y.masked_fill_(low[(...,) + (None,) * (y.dim() - low.dim())], 4.0)  # another y by now
    mask = batch.sum(1) < 0
    y.masked_fill_(mask[(...,) + (None,) * (y.dim() - mask.dim())], 3.0)
    if rows.shape: y[batch.sum(1) > 9] = 9.0
    square = torch.zeros(8, 8, device=device)
    line = torch.zeros(8, device=device) > 1
    square.masked_fill_(line.unsqueeze(-1), 5.0)
    loss = y.sum() + square.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
