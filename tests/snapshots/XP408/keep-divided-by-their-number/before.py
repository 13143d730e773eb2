import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
weights = torch.rand(9, device=device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch, labels in torch.utils.data.DataLoader([(torch.zeros(4), 1)] * 64, batch_size=8):
    x, labels = model(batch.to(device)), labels.to(device)
    kept = labels > 0
    values = weights[labels[kept]] * 2
    chosen = labels[kept]
    loss = torch.sort(values)[0].sum() / len(chosen)
    rows = x[kept]
    number = rows.shape[0]
    loss = loss + torch.sort(rows, 0)[0].sum().div(number) * len(rows)
    loss = loss + torch.sort(x[labels > 1])[0].sum() / x[labels > 1].numel()
    others = x[labels > 2]
    loss = loss + torch.sort(others)[0].sum() / others.size(1) + others.size(0)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
