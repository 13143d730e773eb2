import torch
from torch import nn

model = nn.Linear(4, 2)
model.load_state_dict(torch.load("model.pt"))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    model(torch.zeros(1, 4)).sum().backward()
    optimizer.step()
