import numpy as np
import torch
import torch_xla
from torch import nn


class Meta(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 3)

    def forward(self, x, y, optimizer):
        hits = []
        for part, wanted in zip(x, y):
            logits = self.net(part)
            optimizer.zero_grad()
            nn.functional.cross_entropy(logits, wanted).backward()
            optimizer.step()
            hits.append(torch.eq(logits.argmax(1), wanted).sum().item())
        shares = np.array(hits) / 8
        return shares


class Counter(nn.Module):
    def forward(self, x):
        return x.sum().item()


device = torch_xla.device()
meta = Meta().to(device)
counter = Counter().to(device)
optimizer = torch.optim.Adam(meta.parameters(), lr=0.01)
for step in range(100):
    x, y = torch.randn(2, 8, 4).to(device), torch.randint(0, 3, (2, 8)).to(device)
    shares = meta(x, y, optimizer)
    total = counter(x)
    torch_xla.sync()
    if step % 50 == 0:
        print("step:", step, "right:", shares, "of", total)
