import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

a = torch.tensor([0.0], device=device)
b = torch.tensor([0.0], device=device)
c = torch.tensor([0.0], device=device)
d = torch.tensor([0.0], device=device)
e = torch.tensor([0.0], device=device)
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    a += loss.detach()
    b += loss.detach()
    c += loss.detach()
    d = d + loss.detach()
    e = (loss + loss * 2).detach() + e
print(a.item())
print(b.item())
print(c.item())
print(d.item())
print(e.item())
