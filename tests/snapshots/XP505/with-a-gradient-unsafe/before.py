import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x * 2


model = Net().to("cuda").half()
masters = [p.detach().clone().float() for p in model.parameters()]
optimizer = torch.optim.SGD(masters, lr=0.1)
for p, master in zip(model.parameters(), masters):
    p.data = p.data.half()
    master.data.copy_(p.data.float())
stepped = Net().to("cuda").half()
sgd = torch.optim.SGD(stepped.parameters(), lr=0.1)
