import torch
import torch_xla
from torch import nn

device = torch.device("xla")
model = nn.Linear(8, 1).to(device)
fast = torch.optim.SGD(model.parameters(), lr=0.1)
slow = torch.optim.SGD(model.parameters(), lr=0.01)
for i in range(100):
    model.zero_grad()
    loss = model(torch.randn(4, 8).to(device)).mean()
    loss.backward()
    if i % 2 == 0:
        fast.step()
        torch_xla.sync()
    else:
        slow.step()
        torch_xla.sync()
        if i % 10 == 1:
            print(loss.item())
