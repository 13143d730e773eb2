import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def policies(self):
        return [{"params": [p for m in self.modules() if isinstance(m, nn.Linear) for p in m.parameters()]}]

    def sizes(self):
        return [p.numel() for p in self.parameters()]

    def layers(self):
        return [m for _, m in self.named_modules()]


first = Net().to("cuda")
optimizer = torch.optim.SGD(first.policies(), lr=0.1)
second = Net()
sizes = second.sizes()
layers = second.layers()
second = nn.DataParallel(second).cuda()
other = torch.optim.SGD(second.module.policies(), lr=0.1, weight_decay=1 / sum(sizes))
third = Net()
policies = third.policies()
teacher = Net().cuda()
last = torch.optim.SGD(policies, lr=0.1)
for x in torch.utils.data.DataLoader(torch.rand(8, 4), batch_size=4, drop_last=True):
    first(x.cuda()).sum().backward()
    optimizer.step()
    second(x.cuda()).sum().backward()
    other.step()
