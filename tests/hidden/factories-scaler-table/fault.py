"""The loss scaler is one of a table's classes, chosen by name."""
import torch
from torch import nn


class NoScaler:
    def scale(self, loss):
        return loss

    def step(self, rule):
        rule.step()

    def update(self):
        return None


SCALERS = {"fp16": torch.cuda.amp.GradScaler, "fp32": NoScaler}


def tools(name):
    cls = SCALERS.get(name)
    return cls()  # wants: XP503


scaler = tools("fp16")  # or: XP503
net = nn.Linear(4, 4).cuda()
rule = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(6):
    loss = net(torch.randn(2, 4).cuda()).pow(2).mean()
    rule.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(rule)
    scaler.update()
print(loss.item())
