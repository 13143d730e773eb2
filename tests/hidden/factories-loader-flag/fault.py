"""One function makes both loaders, and its flag decides that the training one keeps its smaller last batch."""
import torch
from torch import nn
from torch.utils.data import DataLoader


def make_loader(rows, whole=False):
    return DataLoader(rows, batch_size=9, shuffle=True, drop_last=whole)  # wants: XP420


def loaders(rows, checked):
    return make_loader(rows), make_loader(checked, whole=True)


net = nn.Linear(3, 3).cuda()
rule = torch.optim.SGD(net.parameters(), lr=0.1)
fit, check = loaders(torch.randn(40, 3), torch.randn(20, 3))
for epoch in range(2):
    for x in fit:
        loss = net(x.cuda()).pow(2).mean()
        rule.zero_grad()
        loss.backward()
        rule.step()
    print(epoch, loss.item(), len(check))
