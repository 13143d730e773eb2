import torch
import torch_xla
from torch import nn


class Adapted(nn.Module):
    """Fits a code to each input, within the step of another optimizer."""

    def __init__(self):
        super().__init__()
        self.decoder = nn.Linear(2, 2)

    def forward(self, x):
        code = torch.zeros_like(x).requires_grad_()
        inner = torch.optim.SGD([code], lr=0.1)
        for _ in range(3):
            inner.zero_grad()
            (self.decoder(code) - x).pow(2).sum().backward()
            inner.step()
        return self.decoder(code.detach())


device = torch_xla.device()
model = Adapted().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.zeros(8, 4, 2):
    optimizer.zero_grad()
    model(x.to(device)).sum().backward()
    optimizer.step()
    torch_xla.sync()
