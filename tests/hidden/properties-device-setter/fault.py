"""The setter of a property moves the module, and is set after the optimizer was built."""
import torch
from torch import nn


class Learner:
    def __init__(self, net, lr):
        self._device = torch.device("cpu")
        self.net = net
        self.rule = torch.optim.Adam(self.net.parameters(), lr=lr)  # wants: XP203

    @property
    def device(self):
        return self._device

    @device.setter
    def device(self, value):
        self._device = torch.device(value)
        self.net.to(self._device)

    def update(self, x):
        self.rule.zero_grad()
        loss = (self.net(x.to(self.device)) - 1).pow(2).mean()
        loss.backward()
        self.rule.step()
        return loss


learner = Learner(nn.Linear(5, 5), 1e-2)
learner.device = "cuda"
for i in range(15):
    loss = learner.update(torch.randn(10, 5))
print("last", loss.item())
