import torch
import torch_xla
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(8, 24)
        self.keys = None
        self.values = None

    def forward(self, x):
        query, key, value = self.qkv(x).chunk(3, -1)
        if self.keys is not None:
            key = torch.cat([self.keys, key], 1)
            value = torch.cat([self.values, value], 1)
        self.keys, self.values = key, value
        return (query @ key.mT).softmax(-1) @ value


device = torch_xla.device()
model = Attention().to(device).eval()
x = torch.ones(2, 1, 8).to(device)
with torch.no_grad():
    for _ in range(4):
        x = model(x)
        torch_xla.sync()
print(f"{x.sum().item():.5f}")
