import torch
import torch_xla
from torch import nn

device = torch.device("xla")
nets = [nn.Linear(8, 1).to(device) for _ in range(2)]
optimizers = [torch.optim.SGD(net.parameters(), lr=0.1) for net in nets]
named = {"first": optimizers[0], "second": optimizers[1]}
for i in range(100):
    x = torch.randn(4, 8).to(device)
    loss = sum(net(x).mean() for net in nets)
    loss.backward()
    for k in range(len(optimizers)):
        optimizers[k].step()
    torch_xla.sync()
for i in range(100):
    x = torch.randn(4, 8).to(device)
    loss = sum(net(x).mean() for net in nets)
    loss.backward()
    for name, opt in named.items():
        opt.step()
    torch_xla.sync()
# Each of these makes a whole step: the innermost loop is the one that steps.
for i in range(100):
    for net, opt in zip(nets, optimizers):
        loss = net(torch.randn(4, 8).to(device)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        torch_xla.sync()
