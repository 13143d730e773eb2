import torch
from torch import nn

model = nn.Linear(4, 2).to("xla")
optimizer = torch.optim.Adafactor(model.parameters(), lr=0.01)
