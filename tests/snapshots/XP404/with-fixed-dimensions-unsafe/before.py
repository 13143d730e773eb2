import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
table = torch.randn(640, 16, 8, device=device)
order = torch.randperm(640, device=device)
for step in range(600):
    start = step % 8
    loss = model(table[0, start : start + 4]).mean() + table[0, start].mean() + table[:10, start, -1].mean()
    loss = loss + table[:, :, start : start + 1].mean()
    loss.backward()
    optimizer.step()
