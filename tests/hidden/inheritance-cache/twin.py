"""The method keeps a window of a fixed size."""
import torch
from torch import nn


class Cached(nn.Module):
    past = None

    def extend(self, new):
        self.past = new if self.past is None else torch.cat([self.past, new], dim=1)[:, -1:]  # never: XP402
        return self.past


class Reader(Cached):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(6, 6)

    def forward(self, x):
        return self.mix(self.extend(x)).mean(1, keepdim=True)


reader = Reader().cuda().eval()
token = torch.randn(2, 1, 6).cuda()
with torch.no_grad():
    for position in range(20):
        token = reader(token)
print(token.shape, reader.past.shape)
