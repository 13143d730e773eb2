import torch
import torch_xla
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(3))

    def forward(self, x):
        for layer in self.layers:
            x = torch.where(torch.rand((), device=torch_xla.device()) < 0.5, torch.tanh(layer(x)), x)
        return x


device = torch_xla.device()
model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in [torch.randn(16, 8) for _ in range(6)]:
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print(f"{loss.item():.5f}")
