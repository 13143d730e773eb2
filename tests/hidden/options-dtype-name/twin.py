"""The option's text names float32."""
import dataclasses
import torch
from torch import nn


@dataclasses.dataclass
class Options:
    steps: int = 10
    precision: str = "float32"  # never: XP501


def main(options):
    kind = getattr(torch, options.precision)
    model = nn.Linear(4, 4).to("cuda", kind)  # never: XP501
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(options.steps):
        x = torch.randn(8, 4).to("cuda", kind)  # never: XP501
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item(), loss.dtype)


main(Options())
