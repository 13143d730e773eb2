import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(4, 2).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 2)), batch_size=8, drop_last=True)

for inputs, targets in pl.MpDeviceLoader(loader, "xla"):
    optimizer.zero_grad()

    # the forward pass
    loss = (model(inputs) - targets).square().mean()
    loss.backward()
    optimizer.step()

for inputs, targets in pl.MpDeviceLoader(loader, "xla"):
    optimizer.zero_grad()
    # take the inputs to the GPU, and train the model
    loss = (model(inputs) - targets).square().mean()
    loss.backward()
    optimizer.step()
