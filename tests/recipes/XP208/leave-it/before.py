import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for n in range(4):
    loss = model(torch.ones(8, 8).to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if n % 2 == 0:
        model.cpu()
        xm.save(model.state_dict(), "model.pt")
        model.to(device)
print(f"{loss.item():.5f}")
