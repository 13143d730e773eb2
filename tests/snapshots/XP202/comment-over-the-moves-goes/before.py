import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(4, 2).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 2)), batch_size=8, drop_last=True)

for inputs, targets in loader:
    optimizer.zero_grad()

    # move to gpu
    inputs = inputs.to("xla", non_blocking=True)
    targets = targets.to("xla", non_blocking=True)

    # the forward pass
    loss = (model(inputs) - targets).square().mean()
    loss.backward()
    optimizer.step()

for inputs, targets in loader:
    optimizer.zero_grad()
    # take the inputs to the GPU, and train the model
    inputs = inputs.to("xla")
    targets = targets.to("xla")
    loss = (model(inputs) - targets).square().mean()
    loss.backward()
    optimizer.step()
