"""What torch.compile traces runs once: a closure would be made once."""

import torch
from torch import nn

device = torch.device("xla")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def forward(self, x):
        y = self.layer(x)
        assert (y < 9).all()
        return y


model = torch.compile(Net().to(device), backend="openxla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(100):
    loss = model(torch.randn(8, 4, device=device)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
