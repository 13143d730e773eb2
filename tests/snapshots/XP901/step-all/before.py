import torch
import torch_xla.core.xla_model as xm
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = xm.xla_device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=16)
for epoch in range(2):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        xm.mark_step()
    xm.master_print(f"rank {xm.get_ordinal()}: {loss.item()}")
