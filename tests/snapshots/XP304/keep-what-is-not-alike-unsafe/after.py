import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

out = model(torch.zeros(2, 4, device=device))
loss, count, best = out.mean(), (out > 0).sum(), 0.0
if count > 1:
    best = out.mean()
a, b = loss.item(), count.item()
c, d = loss.item(), 3
e, f = float(count), loss.item()
g = [v.item() for v in (loss, count)]
h = max(loss, 0.5)
i = max(best, loss)
j = torch.tensor([loss, 1.0], device=device)
k = torch.tensor([loss, out.mean()])
l = torch.tensor([loss, out.mean()], dtype=torch.float64, device=device)
m = [v.item() for v in (loss, out.mean()) if v > 0]
n, o = out.argmax(0).item(), loss.item()
