import torch
from torch import nn


class Trainer:
    def __init__(self, net):
        self.net = net
        rule = torch.optim.SGD(net.parameters(), lr=0.1)
        self.before, self.after = rule.zero_grad, rule.step

    def on(self, x):
        self.before()
        self.net(x.cuda()).pow(2).mean().backward()
        self.after()


model = nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
update = optimizer.step
counts = {"step": 0}
step = counts.get
for x in torch.randn(40, 16, 4):
    optimizer.zero_grad()
    model(x.cuda()).mean().backward()
    update()
trainer = Trainer(nn.Linear(4, 4).cuda())
for x in torch.randn(15, 2, 4):
    trainer.on(x)
for number in range(3):
    print(step("step"))
