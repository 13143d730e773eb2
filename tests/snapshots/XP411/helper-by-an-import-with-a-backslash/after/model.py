import torch
from torch import nn
from blocks import A, \
    Block, LoweredWeightNorm


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = LoweredWeightNorm.apply(nn.Linear(4, 4))
        self.b = Block()

    def forward(self, x):
        return self.b(self.first(x)) * A


m = Model().to("xla")
opt = torch.optim.SGD(m.parameters(), 0.1)
for x in torch.ones(10, 3, 4):
    loss = m(x.to("xla")).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
