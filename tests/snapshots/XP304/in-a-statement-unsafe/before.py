import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

for x in loader:
    out = model(x.to(device))
    loss = out.mean()
    penalty = out.pow(2).mean()
    loss.backward()
    optimizer.step()
a, b = loss.item(), float(penalty)
c, d = (out > 0).sum().item(), (out < 0).sum().item()
e = [value.item() for value in (loss, penalty)]
