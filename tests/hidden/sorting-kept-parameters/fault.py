"""sorted() keeps named parameters in a namespace, by their size; the model moves after that."""
from types import SimpleNamespace

import torch
from torch import nn

model = nn.Sequential(nn.Linear(9, 30), nn.ReLU(), nn.Linear(30, 2))
run = SimpleNamespace(largest=None, clip=0.5)
run.largest = sorted(model.named_parameters(), key=lambda pair: -pair[1].numel())[:2]  # wants: XP208
model = model.to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(30):
    x = torch.randn(16, 9, device="cuda")
    y = torch.randint(2, (16,), device="cuda")
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    for _, weight in run.largest:
        nn.utils.clip_grad_norm_(weight, run.clip)  # or: XP208
    optimizer.step()
print([name for name, _ in run.largest], loss.item())
