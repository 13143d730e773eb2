import torch
import torch.nn as nn
import torch_xla
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randn(96, 1)), batch_size=8)

for i, (x, y) in enumerate(loader):
    loss = nn.functional.mse_loss(model(x.to(device)), y.to(device)) / 3
    loss.backward()
    if (i + 1) % 3 != 0:
        continue
    optimizer.step()
    optimizer.zero_grad()
    torch_xla.sync()
