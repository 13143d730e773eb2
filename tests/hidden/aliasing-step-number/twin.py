"""The names come from a constant, not from the step."""
import torch
from torch import nn

model = nn.Linear(24, 1).cuda()
opt = torch.optim.Adam(model.parameters())
data = torch.randn(400, 24).cuda()
size = 8
for step in range(30):
    it = size
    begin = it
    begin = begin * size
    rows = data.narrow(0, begin, size)  # never: XP401|XP404
    loss = model(rows).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print("end", loss.item())
