import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
table = torch.randn(640, 16, 8, device=device)
order = torch.randperm(640, device=device)
for step in range(600):
    table[step].zero_()
    table[step + 1] += 1
    table[step : step + 4] = 0.5
    table[step].data.mul_(2)
    table[step][0] = 1.0
    table[step].view(-1)[:2].fill_(3)
    row = table[step]
    row += 1
    other = table[step]
    other.zero_()
    loss = model(table[0]).mean()
    loss.backward()
    optimizer.step()
