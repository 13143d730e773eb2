import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

losses = []
for epoch in range(3):
    epoch_loss = torch.tensor([0.0], device=device)
    for x in loader:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        epoch_loss += loss.detach()
    losses.append(epoch_loss.item())
    epoch_loss = torch.tensor([0.0], device=device)
    with torch.no_grad():
        for x in loader:
            epoch_loss += model(x.to(device)).mean()
    epoch_loss = epoch_loss.item()
    losses.append(epoch_loss)
    print(epoch_loss)
