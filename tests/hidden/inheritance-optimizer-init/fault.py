"""A helper makes an optimizer whose class hands the parameters on."""

import torch


class Own(torch.optim.SGD):
    def __init__(self, params, lr):
        super().__init__(params, lr=lr, momentum=0.9)
        self.steps = 0


def make(model):
    return Own(model.parameters(), lr=0.1)


model = torch.nn.Linear(8, 2)
opt = make(model)  # wants: XP203
model.cuda()
for step in range(100):
    x = torch.randn(4, 8, device="cuda")
    opt.zero_grad()
    model(x).mean().backward()
    opt.step()
