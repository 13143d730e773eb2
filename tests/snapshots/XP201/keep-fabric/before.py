import torch
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader

fabric = Fabric(accelerator="tpu")
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model, optimizer = fabric.setup(model, optimizer)
loader = fabric.setup_dataloaders(DataLoader(torch.zeros(8, 4)))
for x in loader:
    loss = model(x).mean()
    fabric.backward(loss)
    optimizer.step()
    optimizer.zero_grad()
    print(loss.item())


def train(model, optimizer, loader):
    for x in loader:
        fabric.backward(model(x).mean())
        optimizer.step()


train(model, optimizer, loader)
