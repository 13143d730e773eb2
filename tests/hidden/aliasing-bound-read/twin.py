"""The bound method is that of a tensor on the host."""
import torch
from torch import nn

model = nn.Conv1d(3, 8, 3, padding=1).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
weights = torch.rand(40)
total = 0.0
for step in range(40):
    x = torch.randn(4, 3, 20).cuda()
    loss = model(x).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    read = weights[step].item
    total += read()  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308
print("mean", total / 40)
