import torch
import torch_xla

import bitsandbytes as bnb
from torch import nn

model = nn.Linear(8, 1).to(torch_xla.device())
optimizer = bnb.optim.Adam8bit(model.parameters(), lr=0.1)
print(len(optimizer.param_groups))
