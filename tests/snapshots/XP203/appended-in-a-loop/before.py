import torch
import torch.nn as nn

nets = [nn.Linear(2, 2), nn.Linear(2, 2)]
optims = []
for net in nets:
    optims.append(torch.optim.Adam(net.parameters(), lr=0.1))
for net in nets:
    net.cuda()
for x in torch.utils.data.DataLoader(torch.zeros(8, 2), batch_size=4, drop_last=True):
    loss = nets[0](nets[1](x.cuda())).mean()
    loss.backward()
    for o in optims:
        o.step()
