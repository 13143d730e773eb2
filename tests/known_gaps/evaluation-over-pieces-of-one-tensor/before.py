import torch
from torch import nn

model = nn.LSTM(4, 4).cuda()
data = torch.randn(7000, 10, 4).cuda()


def evaluate(source, width=70):
    model.eval()
    total = 0
    state = (torch.zeros(1, 10, 4).cuda(), torch.zeros(1, 10, 4).cuda())
    for i in range(0, source.size(0) - 1, width):
        length = min(width, len(source) - 1 - i)
        x, target = source[i : i + length], source[i + 1 : i + 1 + length]
        out, state = model(x, state)
        total += length * (out - target).pow(2).mean().data
        state = tuple(h.detach() for h in state)
    return total.item() / len(source)


print(evaluate(data))
