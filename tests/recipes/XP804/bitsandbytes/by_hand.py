import torch
import torch_xla

from torch import nn

model = nn.Linear(8, 1).to(torch_xla.device())
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
print(len(optimizer.param_groups))
