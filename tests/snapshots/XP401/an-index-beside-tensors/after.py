import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
maps = torch.zeros(64, 9, 4, device=device)
order = torch.randperm(9, device=device)
for i in range(64):
    rows = maps[i, order]
    columns = maps[i, :, order[:4]]
    positive = maps[0, :, 0] > 0
    chosen = maps[i, positive, :]
    alone = maps[i, :, 2]
    loss = (model(rows) ** 2).sum() + columns.sum() + chosen.sum() + alone.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
