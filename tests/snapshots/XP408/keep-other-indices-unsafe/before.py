import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 4)), batch_size=8)

table = torch.randn(100, 4, device=device)
host = torch.randn(100)
print(host[host > 0].mean())

for step, (inputs, targets) in enumerate(loader):
    array = np.zeros(4)
    small = array[array > 0].mean()
    early = host[host > 0].mean()
    inputs, places = inputs.to(device), targets.to(device).long()
    x = model(inputs)
    rows = table[places]
    loss = x[0].mean() + x[:, 1].mean() + rows.mean() + x[places].mean() + small + early
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        print(x[x > 0].mean())

print(x[x > 0].mean())
