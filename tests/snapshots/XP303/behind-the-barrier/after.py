import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

total = torch.zeros((), device=device)
count = torch.zeros((), device=device)
for i, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    count += (x.to(device) > 0).sum()
    total += loss.detach()
    torch_xla.sync()
    if i % 10 == 0:
        print(loss.item())
print(total.item(), count.item())

values = []
kept = []
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    values.append(loss.detach() * len(x))
    torch_xla.sync()
    kept.append(loss.detach())
