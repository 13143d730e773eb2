"""A frozen dataclass's property makes the device's name by an f-string from two fields."""
from dataclasses import dataclass, replace

import torch
from torch import nn


@dataclass(frozen=True)
class Placement:
    kind: str = "cpu"
    index: int = 0

    @property
    def name(self):
        return self.kind if self.kind == "cpu" else f"{self.kind}:{self.index}"  # or: XP103


base = Placement()
fast = replace(base, kind="cuda")  # wants: XP103
model = nn.Linear(6, 6).to(fast.name)  # or: XP103
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(12):
    x = torch.randn(4, 6, device=fast.name)  # or: XP103
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
