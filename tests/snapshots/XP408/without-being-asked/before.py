import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 4)), batch_size=8)

for inputs, targets in loader:
    x = model(inputs.to(device))
    loss = x[x > 0].mean()
    parts = torch.cat([x[x > 1], x[x < 0]])
    loss.backward()
    optimizer.step()
