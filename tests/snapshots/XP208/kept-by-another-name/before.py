import torch
from torch import nn


class Trainer:
    def __init__(self, net):
        self.net = net
        self.weights = [p for p in net.parameters() if p.requires_grad]
        self.net.to("cuda")
        self.fresh = list(self.net.parameters())
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def step(self, x):
        self.net(x).sum().backward()
        nn.utils.clip_grad_norm_(self.weights, 1.0)
        nn.utils.clip_grad_value_(self.fresh, 1.0)
        self.optimizer.step()


trainer = Trainer(nn.Linear(3, 3))
for _ in range(3):
    trainer.step(torch.randn(2, 3).cuda())
