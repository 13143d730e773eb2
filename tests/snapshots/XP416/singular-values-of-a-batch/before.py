import torch
from torch import nn
from torch.utils.data import DataLoader

net = nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(torch.randn(16, 8, 4), batch_size=2, drop_last=True):
    u, s, v = torch.svd(net(x.cuda()))
    loss = s[:, :1].sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
