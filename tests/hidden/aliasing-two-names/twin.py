"""The second name is the teacher's; the model moved first."""
import torch
from torch import nn

model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
teacher = nn.Linear(16, 4)
net = teacher
model.cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)  # never: XP203
net.cuda()

for step in range(20):
    x = torch.randn(8, 16).cuda()
    with torch.no_grad():
        goal = teacher(x)
    loss = nn.functional.mse_loss(model(x), goal)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("done", loss.item())
