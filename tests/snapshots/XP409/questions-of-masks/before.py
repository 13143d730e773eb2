import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
use_mask = True
for batch in torch.randn(100, 8, 4, device=device):
    x = model(batch)
    bad = torch.isnan(x)
    if bad.any():
        # NaN has no loss
        x = x.masked_fill(bad, 0.0)
    y = x * 1
    large = y > 3
    if torch.any(large):
        y[large] = 3.0
        y.masked_fill_(large, float("inf"))
    if use_mask and (large).any().item():
        y[large] *= 0.5
    if (use_mask is not None) and bool(large.any()):
        y = torch.where(large, 1, y)
    if large.any(): y[large] = 0.0
    loss = y.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
