import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("tpu")
loader = DataLoader(TensorDataset(torch.randn(512, 16)), batch_size=32)
model = nn.Linear(16, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step, (x,) in enumerate(loader):
    x = x.to(device)
    loss = (model(x)[: step + 1] ** (step + 1)).mean() * step
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
