import torch
from torch import nn


def pieces(x, starts, size=4):
    out = torch.zeros_like(x[:, :, :size])
    for i in range(x.size(0)):
        start = starts[i]
        end = start + size
        out[i] = x[i, :, start:end]
    return out


def zeroed(x, starts):
    first = starts[0]
    x[:, :, first : first + 2].zero_()
    return x


def of_any_length(x, starts, lengths):
    first, last = starts[0], lengths[0]
    return x[:, :, first : first + last].mean()


def twice(x, starts):
    first = starts.min()
    return x[:, :, first : first + 2] + x[:, :, first + 1 : first + 3]


net = nn.Conv1d(2, 2, 3, padding=1).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    x = torch.rand(8, 2, 32).cuda()
    starts = (torch.rand(8, device=x.device) * 8).long()
    y = net(x)
    loss = pieces(y, starts).mean() + zeroed(y + 0, starts).mean() + of_any_length(y, starts, starts + 1)
    loss = loss + twice(y, starts).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
