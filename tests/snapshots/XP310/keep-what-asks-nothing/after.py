import torch
from torch import nn
from mine import Rprop

options = {"lr": 0.1, "capturable": True}
model = nn.Linear(4, 2).to("xla")
optimizers = [
    torch.optim.Adam(model.parameters()),
    torch.optim.ASGD(model.parameters(), capturable=True),
    torch.optim.Rprop(model.parameters(), **options),
    Rprop(model.parameters()),
]
