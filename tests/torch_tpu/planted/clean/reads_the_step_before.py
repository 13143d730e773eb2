import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)

before = None
for step in range(12):
    loss = model(torch.randn(4, 8).to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if before is not None:
        print(before.item())
    before = loss.detach()
