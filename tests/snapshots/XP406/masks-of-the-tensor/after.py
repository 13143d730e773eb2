import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)
for batch, labels in batches:
    batch = batch.to(device)
    labels = labels.to(device)
    x = model(batch)
    y = x.clone()
    y.masked_fill_(y < 0, 0.0)  # as ReLU does
    large = (y > 3) | torch.isnan(y)
    y.masked_fill_(large, float("-inf"))
    chosen = torch.bernoulli(torch.full(labels.shape, 0.15, device=device)).bool()
    labels.masked_fill_(~chosen, -100)
    y.data.masked_fill_(y.data != y.data, -1e4)
    loss = y.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
