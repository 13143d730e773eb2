import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

from collections import defaultdict

for epoch in range(3):
    sums = {"loss": 0.0, "hits": 0.0}
    counts = defaultdict(int)
    parts = dict.fromkeys(("mean", "most"), 0.0)
    for i, x in enumerate(loader):
        out = model(x.to(device))
        loss = out.mean()
        loss.backward()
        optimizer.step()
        sums["loss"] += loss.detach() * len(x)
        sums["hits"] += (out > 0).sum()
        counts["hits"] += (out > 0).sum()
        for name, part in (("mean", loss), ("most", out.max())):
            parts[name] += part.detach()
        if i % 10 == 0:
            print(f"{sums['loss']:.3f} {i}", round(float(sums["hits"]), 2))
            sums["loss"] = 0.0
    sums = {name: float(value) for name, value in sums.items()}
    counts.update({name: int(value) for name, value in counts.items()})
    parts.update({name: float(value) for name, value in parts.items()})
    print(sums, counts, parts)
