import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for x in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    total += loss.item()
print(total)
