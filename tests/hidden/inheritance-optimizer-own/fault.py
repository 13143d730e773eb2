"""A helper makes an optimizer of the program itself."""

import torch


class Own(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for parameter in group["params"]:
                parameter.add_(parameter.grad, alpha=-group["lr"])


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
