import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)
for batch, labels in batches:
    labels = labels.to(device)
    x = model(batch.to(device)) * 1
    x[torch.where(x < 0)] = 0.0
    x[(x > 3).nonzero(as_tuple=True)] = 3.0
    y = x.sum(1)
    y[torch.isnan(y).nonzero(as_tuple=True)] = -1e4
    places = torch.where(x != x)
    x[places] = 1.0
    z = x * 2
    far = z > 5
    ends = torch.nonzero(far, as_tuple=True)
    z[ends] = 5.0
    loss = x.sum() + y.sum() + z.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
