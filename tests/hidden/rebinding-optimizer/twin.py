"""The one built before the move is replaced after it."""
import torch
from torch import nn

model = nn.Sequential(nn.Linear(7, 14), nn.GELU(), nn.Linear(14, 1))
optimizer = None
warmup = torch.optim.SGD(model.parameters(), lr=0.1)  # never: XP203
model.cuda()
warmup = None
if warmup is None:
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

for step in range(12):
    x = torch.randn(8, 7).cuda()
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
