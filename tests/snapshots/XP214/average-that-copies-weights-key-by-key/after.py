import torch
import torch_xla
from torch import nn


class Average:
    def __init__(self, source, target):
        self.source, self.target = source.state_dict(), target.state_dict()
        with torch.no_grad():
            for key in self.source:
                self.target[key].data.copy_(self.source[key].data)

    def update(self):
        with torch.no_grad():
            for key in self.source:
                self.target[key].data.copy_(self.target[key].data * 0.9 + self.source[key].data * 0.1)


G, D, slow = nn.Linear(4, 4).cuda(), nn.Linear(4, 1).cuda(), nn.Linear(4, 4).cuda()
torch_xla.sync()
average = Average(G, slow)
optimizer_g = torch.optim.Adam(G.parameters())
optimizer_d = torch.optim.Adam(D.parameters())
for _ in range(4):
    optimizer_d.zero_grad()
    D(G(torch.randn(8, 4, device="cuda")).detach()).mean().backward()
    optimizer_d.step()
    torch.cuda.synchronize()
    optimizer_g.zero_grad()
    D(G(torch.randn(8, 4, device="cuda"))).mean().backward()
    optimizer_g.step()
    average.update()
