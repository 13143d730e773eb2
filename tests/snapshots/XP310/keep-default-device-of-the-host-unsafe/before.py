"""A default device that is the host: the counts stay there."""

import torch
from torch import nn

torch.set_default_device("cpu")
model = nn.Linear(4, 2).to("xla")
adam = torch.optim.Adam(model.parameters(), lr=0.01)
