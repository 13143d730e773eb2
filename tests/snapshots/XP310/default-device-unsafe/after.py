"""What counts steps in a tensor of the default device."""

import torch
from torch import nn

torch.set_default_device("xla")
model = nn.Linear(4, 2)
adam = torch.optim.Adam(params=list(model.parameters()), lr=0.01, capturable=True)
nadam = torch.optim.NAdam(model.parameters(), capturable=True)
adagrad = torch.optim.Adagrad(model.parameters(), lr=0.01)
sgd = torch.optim.SGD(model.parameters(), lr=0.01)
captured = torch.optim.AdamW(model.parameters(), lr=0.01, capturable=True)
