import torch
from helpers import on_host, to_host
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    loss = model(torch.ones(4, 8, device=device)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    seen = to_host(loss) + on_host(loss.detach())
