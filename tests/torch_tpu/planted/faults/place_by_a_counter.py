# planted: recompile
# says: gets a part of a tensor
import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
shifts = torch.randn(20, 8).to(device)
for step in range(14):
    rows = torch.randn(4, 8).to(device) + shifts[step]  # <- here
    loss = model(rows).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
