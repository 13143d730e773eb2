import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for i, x in enumerate(DataLoader(torch.zeros(8, 4))):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        if i % 10 == 0:
            print(loss.item())
    with torch.no_grad():
        out = model(torch.zeros(1, 4, device=device))
    torch_xla.sync()
