import torch
import torch_xla
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
device = "cpu" if optimizer.param_groups[0]["lr"] > 1 else torch_xla.device()
model = model.to(device)
for x in [torch.ones(4, 8) * n for n in range(4)]:
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
