import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)

for step in range(12):
    loss = model(torch.randn(4, 8).to(device) * (1 + step / 100)).square().mean() * (step + 0.5)
    for group in optimizer.param_groups:
        group["lr"] = 0.01 / (step + 1)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
