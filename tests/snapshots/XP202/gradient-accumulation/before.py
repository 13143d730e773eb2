import torch
import torch_xla
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8)), batch_size=4)
for i, (x, y) in enumerate(loader):
    x, y = x.to(device), y.to(device)
    (model(x) - y).mean().backward()
    if (i + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
