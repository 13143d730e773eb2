# Meters keep tensors, and are read when their loop is over: three averages in one line, and some in a loop.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


class Meter:
    def __init__(self):
        self.sum, self.count = 0.0, 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


def validate():
    loss, top, norm = Meter(), Meter(), Meter()
    meters = {name: Meter() for name in ("a", "b", "c", "d")}
    with torch.no_grad():
        for _ in range(8):
            y = model(torch.randn(4, 8).to(device))
            loss.update(y.pow(2).mean(), 4)
            top.update(y.max(), 4)
            norm.update(y.norm(), 4)
            for meter in meters.values():
                meter.update(y.sum(), 4)
            torch_xla.sync()
    return (float(loss.avg), float(top.avg), float(norm.avg)), {name: float(m.avg) for name, m in meters.items()}


for epoch in range(2):
    for step in range(10):
        optimizer.zero_grad()
        model(torch.randn(4, 8).to(device)).pow(2).mean().backward()
        optimizer.step()
        torch_xla.sync()
    print(validate())
