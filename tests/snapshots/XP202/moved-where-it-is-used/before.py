import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8).long()), batch_size=4)
for i, (x, y) in enumerate(loader):
    out = model(x.to(device))
    loss = nn.functional.cross_entropy(out, y.to(device)) * x.size(0)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
for batch in loader:
    images = batch[0].to(device)
    labels = batch[1].to(device)
    loss = nn.functional.cross_entropy(model(images), labels) / len(batch[0])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
