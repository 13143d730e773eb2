import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

steps = 4
for i, x in enumerate(loader):
    loss = model(x.to(device)).mean() / steps
    loss.backward()
    if (i + 1) % steps == 0:
        optimizer.step()
        optimizer.zero_grad()
        loss_value = loss.item()
        optimizer.param_groups[0]["lr"] = loss_value
        if (i + 1) % 100 == 0:
            print(loss.item())
