"""The model is moved under its second name, after the optimizer was built."""
import torch
import torch_xla
from torch import nn

model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
teacher = nn.Linear(16, 4)
net = model
model.to(torch_xla.device())
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
net.cuda()
teacher.cuda()

for step in range(20):
    x = torch.randn(8, 16).cuda()
    with torch.no_grad():
        goal = teacher(x)
    loss = nn.functional.mse_loss(model(x), goal)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("done", loss.item())
