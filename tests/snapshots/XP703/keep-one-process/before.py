import torch
import torch_xla
from torch import nn

import torch_xla.core.xla_model as xm

rank = 0
model = nn.Linear(4, 2).to(torch_xla.device())
if rank == 0:
    xm.save(model.state_dict(), "model.pt")
