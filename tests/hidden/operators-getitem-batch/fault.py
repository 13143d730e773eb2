"""A batch class selects the rows of all of its tensors by the mask that its __getitem__ gets."""
import torch
from torch import nn


class Batch:
    def __init__(self, **columns):
        self.columns = columns

    def __getattr__(self, name):
        return self.__dict__["columns"][name]

    def __getitem__(self, rows):
        return Batch(**{name: column[rows] for name, column in self.columns.items()})  # wants: XP408|XP412


net = nn.Linear(5, 1).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(25):
    batch = Batch(x=torch.randn(16, 5, device="cuda"), y=torch.randn(16, device="cuda"))
    batch = batch[batch.y > 0]  # or: XP408|XP412
    loss = (net(batch.x).squeeze(1) - batch.y).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
