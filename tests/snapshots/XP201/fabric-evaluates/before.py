import torch
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader

fabric = Fabric(accelerator="tpu")
model = fabric.setup(nn.Linear(4, 1))
loader = fabric.setup_dataloaders(DataLoader(torch.zeros(8, 4)))
outputs = []
with torch.no_grad():
    for x in loader:
        outputs.append(model(x).argmax(1))
