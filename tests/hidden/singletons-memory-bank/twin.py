"""The bank keeps the last rows only."""
import torch
from torch import nn


class Bank:
    _only = None

    def __new__(cls):
        if cls._only is None:
            cls._only = super().__new__(cls)
            cls._only.rows = torch.zeros(1, 8, device="cuda")
        return cls._only

    def push(self, rows):
        self.rows = torch.vstack((rows.detach(), rows.detach()))  # never: XP402


def contrast(features):
    return -(features @ Bank().rows.T).logsumexp(1).mean()


net = nn.Linear(5, 8).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(30):
    features = nn.functional.normalize(net(torch.randn(6, 5).cuda()), dim=1)
    loss = contrast(features)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    Bank().push(features)
print(Bank().rows.shape)
