# planted: fallback
# The backward pass of an autograd function of the script.
import torch
import torch_xla
from torch import nn


class Soft(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.tanh()

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * torch.special.i0(x)  # <- here


device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(9):
    optimizer.zero_grad()
    Soft.apply(model(torch.randn(4, 8).to(device))).pow(2).mean().backward()
    optimizer.step()
    torch_xla.sync()
