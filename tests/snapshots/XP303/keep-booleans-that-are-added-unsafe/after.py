import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
signs = balance = negated = left = 0
for x in DataLoader(torch.zeros(8, 4)):
    out = model(x.to(device))
    out.mean().backward()
    optimizer.step()
    # On the device, True + True is True, and True - False raises.
    signs += (out > 0).any().item() + float((out < 0).any())
    balance += (out > 0).any().item() - (out < 0).any().item()
    negated += -(out > 0).any().item()
    left += 1 - (out > 0).any().item()
print(signs, balance, negated, left)
