"""Ignite's own makers take a torch.device, or its text; what is called so elsewhere may take anything."""

import torch
from ignite.engine import create_supervised_evaluator, create_supervised_trainer
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
device = "cuda" if torch.cuda.is_available() else "cpu"
trainer = create_supervised_trainer(model, optimizer, nn.MSELoss(), device="cuda:0")
evaluator = create_supervised_evaluator(model, metrics={}, device=device)
