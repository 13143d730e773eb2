"""A function's default argument is the model, and its call moves that."""
import torch
from torch import nn

net, frozen = nn.Linear(5, 5), nn.Linear(5, 5)
frozen.cuda()
rule = torch.optim.Adagrad(net.parameters(), lr=0.1)  # wants: XP203


def start(part=net, mode=True):
    part.train(mode)
    part.cuda()


start()
for step in range(12):
    x = torch.randn(4, 5).cuda()
    with torch.no_grad():
        goal = frozen(x)
    loss = (net(x) - goal).pow(2).mean()
    rule.zero_grad()
    loss.backward()
    rule.step()
print(loss.item())
