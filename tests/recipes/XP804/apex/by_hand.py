import torch
import torch_xla

from torch import nn

device = torch_xla.device()
model = nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for n in range(4):
    with torch.autocast("xla", dtype=torch.bfloat16):
        loss = model(torch.ones(4, 8).to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
