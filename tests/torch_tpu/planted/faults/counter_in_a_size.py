# planted: recompile
# says: a Python number
import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)

for step in range(14):
    places = torch.arange(step + 3, device=device)  # <- here
    loss = model(torch.randn(4, 8).to(device)).square().mean() + places.sum() * 0
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
