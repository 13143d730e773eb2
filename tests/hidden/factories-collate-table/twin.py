"""The name that is asked for is that of stacking."""
import torch
from torch import nn
from torch.utils.data import DataLoader


def ragged(items):
    longest = max(len(item) for item in items)  # never: XP413
    return torch.stack([nn.functional.pad(i, (0, longest - len(i))) for i in items])  # never: XP413


def fixed(items):
    return torch.stack([item[:4] for item in items])


def make_loader(data, kind, size=8):
    table = dict(ragged=ragged, fixed=fixed)
    return DataLoader(data, size, shuffle=True, collate_fn=table[kind], drop_last=True)


data = [torch.randint(9, (4 + n % 5,)) for n in range(40)]
net = nn.EmbeddingBag(9, 3).cuda()
rule = torch.optim.SGD(net.parameters(), lr=0.1)
for ids in make_loader(data, "fixed"):
    loss = net(ids.cuda()).pow(2).mean()
    rule.zero_grad()
    loss.backward()
    rule.step()
print(loss.item())
