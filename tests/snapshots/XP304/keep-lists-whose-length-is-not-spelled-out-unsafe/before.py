import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

losses = [model(x.to(device)).mean() for x in loader]
print([loss.item() for loss in losses], sum(loss.item() for loss in losses), max(losses))
print([v.item() for v in torch.linspace(0, 1, 8)])
print([v.item() for v in model(torch.zeros(2, 4, device=device))])
