import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
data = TensorDataset(torch.zeros(64, 4), torch.zeros(64, dtype=torch.long))
model = nn.Linear(4, 2)
moved = nn.Linear(4, 2).to(device)
for x, y in DataLoader(data, batch_size=8):
    print(model(x).sum(), moved(y).sum())
