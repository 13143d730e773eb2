"""Ignite's own makers take a torch.device, or its text; what is called so elsewhere may take anything."""

import torch
import torch_xla
from ignite.engine import create_supervised_evaluator, create_supervised_trainer
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
device = "xla"
trainer = create_supervised_trainer(model, optimizer, nn.MSELoss(), device=torch_xla.device())
evaluator = create_supervised_evaluator(model, metrics={}, device=device)
