import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

a, b, c, d, e = 0.0, 0.0, 0.0, 0.0, 0.0
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    a += float(loss)
    b += loss.detach().cpu().item()
    c += loss.data.cpu().numpy()
    d = d + loss.data.item()
    e = (loss + loss * 2).item() + e
print(a)
print(b)
print(c)
print(d)
print(e)
