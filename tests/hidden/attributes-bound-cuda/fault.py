"""A bound .cuda of the model is an attribute that is called late."""
import torch
from torch import nn


class Run:
    pass


run = Run()
net, critic = nn.Linear(5, 3), nn.Linear(3, 1)
run.start = net.cuda
rule = torch.optim.Adam(net.parameters())  # wants: XP203
critic.cuda()
run.start()
for step in range(10):
    x = torch.randn(4, 5).cuda()
    loss = -critic(net(x)).mean()
    rule.zero_grad()
    loss.backward()
    rule.step()
print(loss.item())
