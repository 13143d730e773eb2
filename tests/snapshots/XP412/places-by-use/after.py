import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)
for batch, labels in batches:
    labels = labels.to(device)
    x = model(batch.to(device))
    loss = x.sum()
    for place in (labels > 2).nonzero():
        loss = loss + x[place].sum()
    positive = torch.where(labels > 0)[0]
    loss = loss + x[positive].mean()
    chosen = (labels == 3).nonzero(as_tuple=True)[0]
    y = x * 1
    y[chosen] = x.mean()
    first = torch.nonzero(labels == 1)[0]
    rows, columns = torch.where(x > 0)
    loss = loss + y.sum() + rows.float().mean() + columns.float().mean() + x[first].sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
