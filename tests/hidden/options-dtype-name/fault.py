"""An option's text names float64, which getattr(torch, …) turns into the dtype."""
import dataclasses
import torch
from torch import nn


@dataclasses.dataclass
class Options:
    steps: int = 10
    precision: str = "float64"  # or: XP501


def main(options):
    kind = getattr(torch, options.precision)
    model = nn.Linear(4, 4).to("cuda", kind)  # wants: XP501
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(options.steps):
        x = torch.randn(8, 4).to("cuda", kind)  # or: XP501
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item(), loss.dtype)


main(Options())
