import torch
from torch.autograd import Variable


def weights(*size):
    return Variable(torch.randn(*size) * 0.1, requires_grad=True)


hidden, bias = weights(4, 2), Variable(torch.zeros(2), requires_grad=True)
optimizer = torch.optim.SGD([hidden, bias], lr=0.1)
for step in range(20):
    loss = (Variable(torch.randn(8, 4)) @ hidden + bias).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
