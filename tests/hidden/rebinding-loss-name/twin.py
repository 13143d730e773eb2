"""What float() reads is the weight of the loss, a host number."""
import torch
from torch import nn

model = nn.LSTM(5, 10, batch_first=True).cuda()
readout = nn.Linear(10, 1).cuda()
optimizer = torch.optim.Adam([*model.parameters(), *readout.parameters()], lr=1e-2)
curve = []
scale = 1.0
for step in range(18):
    scale = scale * 0.95
    x = torch.randn(6, 8, 5).cuda()
    loss = readout(model(x)[0]).pow(2).mean() * scale
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    value = scale
    loss = None
    curve.append(float(value))  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308
print(min(curve), max(curve))
