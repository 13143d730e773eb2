import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)
for batch, labels in batches:
    x, labels = model(batch.to(device)), labels.to(device)
    kept = (labels > 0).nonzero().squeeze(1)
    shuffled = kept[torch.randperm(len(kept), device=device)]  # as many as there are
    loss = x[shuffled].sum()
    rows = torch.where(labels > 1)[0]
    loss = loss + (x[rows] * torch.arange(len(rows), device=device)[:, None]).sum()  # in their order
    pairs = torch.where(x > 0)
    dimensions = len(pairs)  # of the tuple
    numbers = (x > 0).nonzero().numel()  # two for each place
    loss = loss + dimensions + numbers + pairs[0].sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
