# planted: host-read, host-read@there
import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)


class Meter:
    def __init__(self):
        self.values = []

    def add(self, value):
        self.values.append(value.detach().cpu().numpy())  # <- there


meter = Meter()
for step in range(10):
    loss = model(torch.randn(4, 8).to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    meter.add(loss)
    optimizer.step()
    print(f"step {step}: {loss:.4f}")  # <- here
