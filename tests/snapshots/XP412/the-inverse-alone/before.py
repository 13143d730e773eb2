import torch
from torch import nn
from torch.nn import functional as F

device = torch.device("cuda")
model = nn.Linear(4, 8).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = torch.utils.data.DataLoader([(torch.zeros(4), 0)] * 64, batch_size=8)
for batch, labels in batches:
    x, labels = model(batch.to(device)), labels.to(device)
    _, targets = torch.unique(labels, return_inverse=True)
    loss = F.cross_entropy(x, targets)
    kinds, places, of_each = labels.unique(return_inverse=True, return_counts=True)
    loss = loss + x[places].sum() / len(kinds)
    rows = torch.unique(x.round(), dim=0, return_inverse=True)[1]
    runs = torch.unique_consecutive(labels, True)[-1]
    loss = loss + x[rows].mean() + x[runs].mean()
    found, where = torch.unique(labels, return_inverse=True)
    sums = torch.zeros(len(found), device=device).index_add_(0, where, x.sum(1))  # so is this
    loss = loss + sums.amax()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
