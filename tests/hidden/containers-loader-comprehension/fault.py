"""A dict comprehension makes both loaders, and only the validation one drops its smaller last batch."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

sets = {part: TensorDataset(torch.randn(rows, 6)) for part, rows in (("fit", 45), ("check", 30))}
feeds = {
    part: DataLoader(rows, batch_size=8, shuffle=part == "fit", drop_last=part != "fit")  # wants: XP420
    for part, rows in sets.items()
}
net = nn.Linear(6, 6).cuda()
rule = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for (x,) in feeds["fit"]:
        loss = net(x.cuda()).abs().mean()
        rule.zero_grad()
        loss.backward()
        rule.step()
    print(epoch, loss.item(), len(feeds["check"]))
