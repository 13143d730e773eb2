import os

import torch
import torch_xla.core.xla_model as xm

rank = int(os.environ["RANK"])
model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.zeros(1, 2)).sum().backward()
xm.optimizer_step(optimizer)
