import torch
import torch_xla
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8).long()), batch_size=4)
for x, y in loader:
    labels = y.to(device)
    labels[labels < 0] = 0
    loss = F.cross_entropy(model(x.to(device)), labels) * (labels == y.to(device)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    adv = x.to(device)
    adv.data += 0.1
    loss = F.cross_entropy(model(x.to(device)) + model(adv), y.to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    for _ in range(3):
        xa = x.to(device).requires_grad_()
        model(xa).sum().backward()
    loss = F.cross_entropy(model(xa), y.to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    inputs = [t.to(device) for t in batch]
    inputs[0] = inputs[0] * 2
    loss = F.cross_entropy(model(inputs[0]), inputs[1]) + batch[0].to(device).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for x, y in loader:
    x += torch.randn(4, 4)
    loss = F.cross_entropy(model(x.to(device)), y.to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
