"""Both move before the optimizer."""
import torch
from torch import nn


class Counted:
    """Counts the calls of a module, and is that module otherwise."""

    def __init__(self, inner):
        self.inner, self.calls = inner, 0

    def __call__(self, *inputs, **options):
        self.calls += 1
        return self.inner(*inputs, **options)

    def __getattr__(self, name):
        return getattr(self.inner, name)


encoder = Counted(nn.Linear(4, 8))
decoder = Counted(nn.Linear(8, 4))
decoder.cuda()
encoder.cuda()
weights = [*encoder.parameters(), *decoder.parameters()]
optimizer = torch.optim.SGD(weights, lr=0.1)  # never: XP203
encoder.train()  # never: XP203|XP208
for step in range(12):
    x = torch.randn(6, 4).cuda()
    loss = (decoder(encoder(x)) - x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(encoder.calls, loss.item())
