import torch
import torch_xla
from torch import nn

G, D = nn.Linear(4, 4), nn.Linear(4, 1)
G.to(torch_xla.device())
D.to(torch_xla.device())
optimizer = torch.optim.SGD([*G.parameters(), *D.parameters()], lr=0.1)
G, D = map(lambda m: m.cuda(), (G, D))
for x in torch.utils.data.DataLoader(torch.zeros(8, 4)):
    optimizer.zero_grad()
    loss = D(G(x.cuda())).mean()
    loss.backward()
    optimizer.step()
