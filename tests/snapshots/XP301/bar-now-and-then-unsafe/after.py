"""What only a progress bar shows is shown in every 100th step, where no closure can show it."""

import torch
import torch_xla
from torch import nn
from tqdm import tqdm

device = torch_xla.device()
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


class Meter:
    def __init__(self):
        self.sum = torch.zeros((), device=device)
        self.count = 0

    def update(self, value):
        self.sum += value
        self.count += 1

    @property
    def avg(self):
        return self.sum / self.count


meter = Meter()
bar = tqdm(batches)
for step, x in enumerate(bar):
    loss = model(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    meter.update(loss.detach())
    torch_xla.sync()
    if step % 100 == 0:
        bar.set_postfix({"loss": f"{meter.avg:.3f}"})

bar = tqdm(range(100))
for epoch in bar:
    for i, (x, y) in enumerate(batches):
        loss = (model(x) - y).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter.update(loss.detach())
        torch_xla.sync()
        if i % 100 == 0:
            bar.set_description(
                f"epoch {epoch} "
                f"loss {meter.avg:.3f}"
            )
