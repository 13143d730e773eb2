import torch
from torch import nn, optim
from torch.optim.rprop import Rprop

model = nn.Linear(4, 2).to("xla")
first = optim.ASGD(model.parameters(), capturable=True)
second = torch.optim.Rprop(
    model.parameters(),
    lr=0.01, capturable=True,  # the default
)
third = Rprop(model.parameters(), lr=0.1, capturable=True)
