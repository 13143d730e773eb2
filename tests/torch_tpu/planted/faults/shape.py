# planted: recompile
# says: rows: f32[
import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)

for step in range(16):
    rows = torch.randn(4 + (step * 7) % 13 + step, 8).to(device)
    loss = model(rows).square().mean()  # <- here
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
