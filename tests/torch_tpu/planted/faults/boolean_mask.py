# planted: recompile, host-read
# says: as large as the data says
# says: torch.where
import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)

rows = torch.arange(64.0).reshape(64, 1).repeat(1, 8)
for step in range(14):
    batch = rows.to(device)
    kept = batch[batch[:, 0] > 2 * step + (step % 3)]  # <- here
    loss = model(kept / 64).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
