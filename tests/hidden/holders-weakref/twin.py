"""The weak reference is of the discriminator's features."""
import weakref
import torch
from torch import nn

model, features = nn.Linear(6, 6), nn.Linear(6, 3)
model.cuda()
link = weakref.ref(features)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)  # never: XP203
link().cuda()
for step in range(10):
    x = torch.randn(4, 6).cuda()
    loss = features(model(x)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
