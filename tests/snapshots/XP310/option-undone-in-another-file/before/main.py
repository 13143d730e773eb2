import torch
from resuming import resume
from torch import nn

model = nn.Linear(4, 2).to("xla")
optimizer = torch.optim.ASGD(model.parameters(), lr=0.1, capturable=True)
resume(optimizer, "last.pt")
