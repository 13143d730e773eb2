import random

import torch
from torch import nn


class Hiding(nn.Module):
    def __init__(self, seconds, rate):
        super().__init__()
        self.rate = rate
        self.size = int(seconds * rate)
        self.edge = 2 * rate
        self.layer = nn.Linear(64, 64)

    def forward(self, x):
        begin = random.randint(0, 32)
        kept = torch.ones_like(x)
        # A class derived from this one draws the size: it is not the same number of places each time.
        count = self.size // 2
        kept[:, begin : begin + count] = 0
        x = x * x[:, begin : begin + self.size].mean()
        # This one stays as it was made.
        kept[:, begin : begin + self.edge] = 0
        return self.layer(x * kept)


class HidingMore(Hiding):
    def forward(self, x):
        if self.training:
            self.size = int(random.uniform(0.1, 0.5) * self.rate)
        return super().forward(x)


device = torch.device("cuda")
model = HidingMore(1.0, 20).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(1000):
    loss = model(torch.randn(4, 64, device=device)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    # Tensors of the host, of a size that is drawn, too.
    size = 64 // int(torch.randint(1, 8, (1,)))
    begin = torch.randint(0, 64 - size, (1,))
    loss = model(torch.zeros(4, 64, device=device))
    loss[:, begin : begin + size] = 0
