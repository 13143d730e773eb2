# planted: host-read, extra-execution
# A subclassed optimizer reads the norm of the gradient before it steps.
import torch
import torch_xla
from torch import nn


class Clipped(torch.optim.SGD):
    def step(self, closure=None):
        norm = sum(p.grad.norm() for p in self.param_groups[0]["params"])
        if norm > 10:  # <- here
            for p in self.param_groups[0]["params"]:
                p.grad.mul_(10 / norm)
        return super().step(closure)


device = torch_xla.device()
model = nn.Linear(8, 2).to(device)
optimizer = Clipped(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(9):
    train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
