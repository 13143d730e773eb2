import torch
from torch import nn

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.cuda()
optimizer = torch.optim.Adam(model.parameters())
optimizer.step()

other = nn.Linear(4, 2)
other.cuda()
warm = torch.optim.SGD(other.parameters(), lr=0.1)
warm.step()
warm = torch.optim.Adam(other.parameters())
