"""A class attribute is torch.Tensor.item itself, called on the loss each step."""
import torch
from torch import nn


class Watch:
    read = torch.Tensor.item

    def __init__(self):
        self.values = []

    def __call__(self, tensor):
        self.values.append(Watch.read(tensor))  # wants: XP301|XP302|XP303|XP304|XP305|XP306|XP308
        return self


watch = Watch()
model = nn.Conv2d(1, 2, 3).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    loss = model(torch.rand(2, 1, 6, 6).cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    watch(loss)
print(len(watch.values), float(watch.values[-1]))
