import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for (x,) in DataLoader(TensorDataset(torch.zeros(64, 4)), batch_size=16):
    optimizer.zero_grad()
    model(x).mean().backward()
    optimizer.step()
