"""The models of a dict move late, by a loop over its values."""
import torch
from torch import nn

nets = {"gen": nn.Linear(4, 8), "dis": nn.Linear(8, 1)}
fixed = {"features": nn.Linear(8, 8)}
fixed["features"].cuda()
rules = {"gen": torch.optim.Adam(nets["gen"].parameters(), lr=2e-4)}  # wants: XP203
rules["dis"] = torch.optim.Adam(nets["dis"].parameters(), lr=2e-4)  # or: XP203
for net in nets.values():
    net.cuda()

for step in range(10):
    fake = nets["gen"](torch.randn(8, 4).cuda())
    for name, sign in (("dis", 1.0), ("gen", -1.0)):
        loss = sign * nets["dis"](fixed["features"](fake.detach() if sign > 0 else fake)).mean()
        rules[name].zero_grad()
        loss.backward()
        rules[name].step()
print(loss.item())
