import torch
from torch import nn

model = nn.Linear(4, 2).cuda().eval()
model = torch.compile(model, mode="reduce-overhead", fullgraph=True)
other = torch.compile(model)
total = 0
with torch.no_grad():
    for x in loader:
        total += model(x.cuda()).sum() + other(x.cuda()).sum()
print(total)
