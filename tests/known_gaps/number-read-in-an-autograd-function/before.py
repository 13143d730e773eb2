import torch
from torch import nn


class Divided(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, settings):
        ctx.save_for_backward(settings)
        return x / settings[0].item()

    @staticmethod
    def backward(ctx, gradient):
        (settings,) = ctx.saved_tensors
        return gradient / settings[0].item(), None


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)
        self.register_buffer("settings", torch.tensor([0.07, 0.5]))

    def forward(self, x):
        return Divided.apply(self.layer(x), self.settings)


model = Head().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.ones(8, 2, 4):
    optimizer.zero_grad()
    model(x.cuda()).mean().backward()
    optimizer.step()
