import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
table = torch.randn(640, 16, 8, device=device)
order = torch.randperm(640, device=device)
for step in range(600):
    start = step % 8
    loss = model(table[0, torch.arange(table.size(1))[start : start + 4]]).mean() + table[0, torch.tensor([start])].squeeze(0).mean() + table[:10, torch.tensor([start]), -1].squeeze(1).mean()
    loss = loss + table[:, :, torch.arange(table.size(2))[start : start + 1]].mean()
    loss.backward()
    optimizer.step()
