# What a mask selects is kept by torch.where: the shape stays.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(8):
    x = torch.randn(16, 8).to(device)
    keep = x[:, :1] > 0
    optimizer.zero_grad()
    loss = torch.where(keep, model(x).pow(2), 0.0).sum() / keep.sum().clamp(min=1)
    loss.backward()
    optimizer.step()
    torch_xla.sync()
