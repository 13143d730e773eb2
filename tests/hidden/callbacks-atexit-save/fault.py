"""atexit gets torch.save itself, with a dict that the training fills with the model's weights."""
import atexit

import torch
from torch import nn

final = {}
net = nn.Linear(4, 4).cuda()
atexit.register(torch.save, final, "/tmp/unseen_final.pt")  # wants: XP702
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(20):
    loss = net(torch.randn(4, 4).cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
final.update(weights=net.state_dict(), step=step)
