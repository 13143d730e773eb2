import torch
from accelerate import Accelerator
from torch import nn

accelerator = Accelerator()
model = accelerator.prepare(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = accelerator.prepare(optimizer)
