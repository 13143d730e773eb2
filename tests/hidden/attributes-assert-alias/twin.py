"""The attribute is math.isfinite, asked about a rate."""
import math
from types import SimpleNamespace
import torch
from torch import nn

check = SimpleNamespace(fine=math.isfinite)
model = nn.Sequential(nn.Linear(5, 5), nn.Softmax(-1)).cuda()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(12):
    x = torch.randn(4, 5).cuda()
    loss = model(x).log().neg().mean()
    optimizer.zero_grad()
    loss.backward()
    subject = optimizer.param_groups[0]["lr"]
    assert check.fine(subject), "not a number"  # never: XP415|XP301|XP302|XP303|XP304|XP305|XP306|XP308
    optimizer.step()
print(loss.item())
