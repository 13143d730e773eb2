import torch
from torch import nn

model = nn.Linear(4, 2).cuda().eval()
model = torch.compile(model, fullgraph=True, backend="openxla")
other = torch.compile(model, backend="openxla")
total = 0
with torch.no_grad():
    for x in loader:
        total += model(x.cuda()).sum() + other(x.cuda()).sum()
print(total)
