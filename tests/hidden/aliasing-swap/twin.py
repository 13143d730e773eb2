"""Without the swap, the late move is of the fixed model."""
import torch
from torch import nn

online = nn.Linear(12, 4)
target = nn.Linear(12, 4)
online.cuda()
opt = torch.optim.Adam(online.parameters(), lr=3e-4)  # never: XP203
target.cuda()

for step in range(16):
    state = torch.randn(32, 12, device="cuda")
    reward = torch.rand(32, 1, device="cuda")
    with torch.no_grad():
        goal = reward + 0.99 * target(state).max(1, keepdim=True)[0]
    loss = (online(state)[:, :1] - goal).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print("q-loss", loss.item())
