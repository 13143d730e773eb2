import torch
import torch_xla
from squares import Squares
from torch import nn

net = nn.Linear(4, 4).cuda()
squares = Squares().cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    loss = squares(net(torch.randn(8, 4).cuda()))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
