"""Each layer gets a parameter of its own."""
import torch
from torch import nn


class Mirror(nn.Module):
    def __init__(self, *sizes):
        super().__init__()
        self.down = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.up = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes[:0:-1], sizes[-2::-1]))
        for low, high in zip(self.down, reversed(self.up)):
            high.bias_scale = nn.Parameter(torch.ones(()))  # never: XP205
            low.scale = nn.Parameter(torch.ones(()))

    def forward(self, x):
        for layer in self.down:
            x = torch.tanh(layer(x) * layer.scale)
        for layer in self.up:
            x = layer(x) * layer.bias_scale
        return x


device = "cuda" if torch.cuda.is_available() else "cpu"
model = Mirror(12, 8, 4).to(device)  # never: XP205
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(20):
    x = torch.randn(32, 12, device=device)
    loss = (model(x) - x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
