# planted: stale-averages
import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)
model = nn.Sequential(nn.Conv1d(2, 4, 3), nn.InstanceNorm1d(4, track_running_stats=True), nn.Flatten()).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for step in range(8):
    loss = model(torch.randn(4, 2, 8).to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
model.eval()
with torch.no_grad():
    print(model(torch.randn(4, 2, 8).to(device)).mean().item())  # <- here
