# planted: recompile
# says: rows: f32[
import torch
from torch import nn

device = torch.accelerator.current_accelerator()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)


def loss_of(rows):  # <- here
    return model(rows).square().mean()


compiled = torch.compile(loss_of)
for step in range(7):
    loss = compiled(torch.randn(4 + step, 8).to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
