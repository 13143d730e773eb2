import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(4, 2).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for x, y in DataLoader(TensorDataset(torch.randn(16, 4), torch.rand(16, 2))):
    x, y = x.to("cuda"), y.to("cuda")
    mask = y > 0.5
    out = model(x)
    largest = out[mask]
    loss = largest.mean() + largest.max()
    counted = out[mask]
    loss = loss + counted.sum() / counted.numel() + counted.mean()
    lengthened = out[mask]
    loss = loss + lengthened.mean()
    lengthened = lengthened * 2
    later = out[mask]
    loss = loss + later.mean()
    mask = y > 0.1
    loss = loss + later.sum()
    for part in range(2):
        if part:
            loss = loss + kept.mean()
        kept = out[mask]
        loss = loss + kept.sum()
    changed = out[mask]
    loss = loss + changed.mean()
    changed.clamp_(max=1)
    loss = loss + changed.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
