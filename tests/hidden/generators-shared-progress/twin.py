"""Only the validation loader keeps it, which goes through the same generator."""
import torch
from torch import nn
from torch.utils.data import DataLoader


class Progress:
    def __init__(self, every):
        self.every = every

    def through(self, feed):
        for number, batch in enumerate(feed):
            if number % self.every == 0:
                print("batch", number)
            yield batch


def fit(net, rule, feed, progress):
    for x in progress.through(feed):
        loss = net(x.cuda()).pow(2).mean()
        rule.zero_grad()
        loss.backward()
        rule.step()


@torch.no_grad()
def check(net, feed, progress):
    return sum(net(x.cuda()).sum() for x in progress.through(feed)).item()


net = nn.Linear(3, 3).cuda()
rule = torch.optim.SGD(net.parameters(), lr=0.1)
progress = Progress(2)
training = DataLoader(torch.randn(35, 3), batch_size=8, shuffle=True, drop_last=True)  # never: XP420
validation = DataLoader(torch.randn(20, 3), batch_size=8)  # never: XP420
fit(net, rule, training, progress)
print(check(net, validation, progress))
