import torch
from torch import nn

model = nn.Linear(4, 4)
a = torch.compile(model)
b = torch.compile(model, fullgraph=True)
c = torch.compile(model, mode="default", dynamic=False)
optimizer = torch.optim.AdamW(model.parameters(), fused=True)
