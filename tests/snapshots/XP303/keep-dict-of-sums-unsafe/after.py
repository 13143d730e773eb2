import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

import wandb

begun = {"loss": 1.0}
shown = {"loss": 0.0}
handed = {"loss": 0.0}
looked = {"loss": 0.0}
for i, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    begun["loss"] += loss.item()
    shown["loss"] += loss.item()
    handed["loss"] += loss.item()
    looked["loss"] += loss.item()
    print(shown)
    wandb.log(handed)
    if looked["loss"] > 10:
        break
