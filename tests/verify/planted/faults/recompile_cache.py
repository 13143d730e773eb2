# planted: recompile@cause seen@barrier
# Generation with a cache that grows by one token.
import torch
import torch_xla
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.cache = nn.Linear(8, 24), None

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], 1)  # <- cause
            v = torch.cat([self.cache[1], v], 1)
        self.cache = k, v
        return (q @ k.transpose(1, 2)).softmax(-1) @ v


device = torch_xla.device()
model = Attention().to(device).eval()
x = torch.randn(1, 1, 8).to(device)
with torch.no_grad():
    for position in range(10):
        x = model(x)
        torch_xla.sync()  # <- barrier
