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
    y[outside] = x[outside]
    weight[outside] = 0
    rows = torch.zeros_like(x)
    rows[x.sum(1) > 0] = 1.0  # fewer dimensions
    x = x[0]
    weight[x > 0] = 2.0  # another x
    return y * weight + rows


batches = torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)
for batch, labels in batches:
    loss = spread(model(batch.to(device))).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
