import torch
import torch_xla

from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for i, x in enumerate([torch.ones(4, 8) * n for n in range(8)]):
    loss = model(x.to(device)).square().mean()
    loss.backward()
    if i % 4 == 3:
        optimizer.step()
        optimizer.zero_grad()
        torch_xla.sync()
        total += loss.item()
    else:
        total += 1
print(f"{total:.5f}")
