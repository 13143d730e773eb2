import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
table = torch.randn(640, 16, 8, device=device)
order = torch.randperm(640, device=device)
for step in range(600):
    loss = model(table[order, step % 16]).mean() + table[step, step % 16].mean()
    loss = loss + table[..., step : step + 2, :].mean() + table[step : step + 4 : 2].mean()
    loss = loss + table[: step + 1].mean()
    loss.backward()
    optimizer.step()
