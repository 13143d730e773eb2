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
        sums["loss"] += loss.item() * len(x)
        sums["hits"] += (out > 0).sum().item()
        counts["hits"] += (out > 0).sum().item()
        for name, part in (("mean", loss), ("most", out.max())):
            parts[name] += part.item()
        if i % 10 == 0:
            print(f"{sums['loss']:.3f} {i}", round(sums["hits"], 2))
            sums["loss"] = 0.0
    print(sums, counts, parts)
