import torch
from pieces import piece
from torch import nn

data = torch.zeros(4, 100000, dtype=torch.long).cuda()
model = nn.Embedding(50, 50).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def test():
    for start in range(0, data.size(1) - 1, 100):
        loss = model(piece(data, start, 120)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


test()
