"""A namedtuple's field is the training loader, which keeps its smaller last batch."""
from collections import namedtuple
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

Feeds = namedtuple("Feeds", "first second")
data = TensorDataset(torch.randn(50, 6), torch.randint(2, (50,)))
feeds = Feeds(
    DataLoader(data, 16, shuffle=True),  # wants: XP420
    None,
)


def epoch(net, rule, feed):
    for x, y in feed:
        loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
        rule.zero_grad()
        loss.backward()
        rule.step()
    return loss


net = nn.Linear(6, 2).cuda()
rule = torch.optim.SGD(net.parameters(), lr=0.1)
for number in range(3):
    print(number, epoch(net, rule, feeds[0]).item())
