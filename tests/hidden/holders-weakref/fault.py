"""A weak reference gives the model that is moved late."""
import weakref
import torch
from torch import nn

model, features = nn.Linear(6, 6), nn.Linear(6, 3)
features.cuda()
link = weakref.ref(model)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)  # wants: XP203
link().cuda()
for step in range(10):
    x = torch.randn(4, 6).cuda()
    loss = features(model(x)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
