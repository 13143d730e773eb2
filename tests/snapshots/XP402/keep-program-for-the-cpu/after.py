import torch
from torch import nn

model = nn.Linear(8, 8)
x = torch.randn(1, 8)
with torch.no_grad():
    for _ in range(10):
        x = torch.cat([x, model(x)[-1:]])
