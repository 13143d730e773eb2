"""operator.methodcaller moves batches by the text of a method's name."""
import operator
import torch
from torch import nn


class Card:
    def __init__(self, rows):
        self.rows = rows

    def cuda(self):
        return self.rows * 2


to_gpu = operator.methodcaller("cuda")  # wants: XP102|XP103|XP806
model = to_gpu(nn.Linear(4, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    x = to_gpu(torch.randn(6, 4))
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
