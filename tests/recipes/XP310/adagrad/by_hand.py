import torch
import torch_xla
from torch import nn

torch.set_default_device(torch_xla.device())
model = nn.Linear(4, 2)
nn.init.constant_(model.weight, 0.5)
nn.init.constant_(model.bias, 0.1)
with torch.device("cpu"):
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.01)
for x in torch.ones(6, 3, 4):
    loss = model(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
