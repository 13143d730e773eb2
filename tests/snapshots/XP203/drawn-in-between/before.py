import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters())
for p in model.parameters():
    p.data.uniform_(-0.1, 0.1)
model.to(torch.device("cuda"))

other = nn.Linear(4, 2)
groups = [{"params": [p for p in other.parameters()], "lr": 0.1}]
for p in other.parameters():
    nn.init.normal_(p)
adam = torch.optim.Adam(groups)
other.to(torch.device("cuda"))
