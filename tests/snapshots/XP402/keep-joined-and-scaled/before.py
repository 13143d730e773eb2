import torch
import torch_xla
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 4) for _ in range(3))

    def forward(self, x):
        skip = x
        for layer in self.layers:
            x = torch.cat([x, skip], dim=1)
            x = (x * 2 + 1).reshape(-1, 8)
            x = layer(x)
        return x


model = Net().to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
state = torch.zeros(4, 4, device="xla")
for step in range(100):
    x = torch.rand(4, 4).to("xla")
    x = torch.cat([x, state], dim=0)
    x = x * 2
    x = x.view(8, 4) - 1
    loss = model(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    state = x[:4].detach() / 2
    torch_xla.sync()
