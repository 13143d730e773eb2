import torch
import torch_xla

from apex import amp
from apex.normalization import FusedLayerNorm
from torch import nn

device = torch_xla.device()
model = nn.Sequential(nn.Linear(8, 8), FusedLayerNorm(8, memory_efficient=True)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model, optimizer = amp.initialize(model, optimizer, opt_level="O1")
for n in range(4):
    loss = model(torch.ones(4, 8).to(device)).square().mean()
    optimizer.zero_grad()
    with amp.scale_loss(loss, optimizer) as scaled:
        scaled.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
