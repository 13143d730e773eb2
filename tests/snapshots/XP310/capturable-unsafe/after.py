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
fourth = Rprop((p for p in model.parameters() if p.requires_grad), capturable=True)
fifth = optim.ASGD((model.parameters()), capturable=True)  # all (of them)
sixth = optim.ASGD(
    (
        model.parameters()  # (all)
    ), capturable=True
)
