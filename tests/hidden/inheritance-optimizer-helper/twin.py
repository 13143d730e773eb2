"""The same, behind the move."""

import torch


class Own(torch.optim.SGD):
    pass


def make(model):
    return Own(model.parameters(), lr=0.1)


model = torch.nn.Linear(8, 2)
model.cuda()
opt = make(model)  # never: XP203
for step in range(100):
    x = torch.randn(4, 8, device="cuda")
    opt.zero_grad()
    model(x).mean().backward()
    opt.step()
