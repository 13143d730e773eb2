"""A function binds the global model again, to what .cuda() returns."""
import torch
import torch_xla
from torch import nn

net = nn.Linear(5, 5)
batch = torch.randn(8, 5)
net.to(torch_xla.device())
rule = torch.optim.SGD(net.parameters(), lr=0.1)


def setup():
    global net, batch
    net = net.cuda()
    batch = batch.cuda()


def train(steps):
    setup()
    for _ in range(steps):
        loss = net(batch).pow(2).mean()
        rule.zero_grad()
        loss.backward()
        rule.step()
    return loss.item()


print(train(10))
