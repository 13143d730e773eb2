import torch
from torch import nn
class Trainer(nn.Module):
    def __init__(self, net, n):
        super().__init__()
        self.net = net
        self.n = n
        self.opt = torch.optim.Adam(net.parameters(), lr=.1)
    def forward(self, data):
        total = 0
        for _ in range(self.n):
            x = next(data)
            loss = self.net(x.to("cuda"))
            loss.backward()
            total += loss.detach()
            self.opt.step()
            self.opt.zero_grad()
        return total
