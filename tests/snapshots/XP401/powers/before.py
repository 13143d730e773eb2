import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(16, 8, device=device)
for epoch in range(100):
    progress = epoch / 100
    focus = (1 - torch.sigmoid(model(x))) ** progress
    loss = focus.mean() + torch.pow(x, epoch).mean() + (2.0**epoch) * x.mean() + (progress**x).mean() + x.pow(progress).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
