import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(10):
    loss = model(torch.randn(3, 4)).mean()
    optimizer.zero_grad()
    loss.backward()
    print(loss.item())
    optimizer.step()
