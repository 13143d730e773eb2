import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def spread(x, bound=1.0):
    inside = (x >= -bound) & (x <= bound)
    outside = ~inside
    y = torch.zeros_like(x)
    weight = torch.ones_like(x)
    y.copy_(torch.where(outside, x, y))
    weight.masked_fill_(outside, 0)
    rows = torch.zeros_like(x)
    mask = x.sum(1) > 0
    rows.masked_fill_(mask[(...,) + (None,) * (rows.dim() - mask.dim())], 1.0)  # fewer dimensions
    x = x[0]
    mask = x > 0
    weight.masked_fill_(mask[(...,) + (None,) * (weight.dim() - mask.dim())], 2.0)  # another x
    return y * weight + rows


batches = torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)
for batch, labels in batches:
    loss = spread(model(batch.to(device))).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
