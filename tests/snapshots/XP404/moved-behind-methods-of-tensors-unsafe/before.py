import torch
from data import tokens
from torch import nn


def columns(data, count):
    length = data.size(0) // count
    return data.narrow(0, 0, length * count).view(count, -1).t().contiguous().cuda()


model = nn.Embedding(10, 10).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = columns(tokens, 4)
for i in range(0, data.size(0) - 1, 20):
    x = data[i : i + 20]
    loss = model(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
