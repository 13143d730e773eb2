import torch
from torch import nn


class Shift:
    def __call__(self, images):
        left, top = (torch.rand(2, device=images.device) * 8).ceil().to(torch.int32)
        return nn.functional.pad(images, [left, left, top, top], mode="reflect")


net = nn.Conv2d(1, 1, 3).cuda()
shift = Shift()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    loss = net(shift(torch.randn(2, 1, 16, 16).cuda())).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
