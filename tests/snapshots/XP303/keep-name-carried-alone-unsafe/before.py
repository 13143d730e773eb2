import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

import mystery

smooth, kept = 0.0, 0.0
for i, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    value = loss.item()
    mystery.show(value)
    smooth = 0.9 * smooth + 0.1 * value
    kept += value
print(smooth, kept)
