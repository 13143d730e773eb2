"""The keyword names a method of the host."""
import torch
from torch import nn


def each(*things, do, **options):
    done = [getattr(thing, do)(**options) for thing in things]  # never: XP102|XP806
    return done[0] if len(done) == 1 else done


def ship(*things, how="cpu", **options):  # never: XP102|XP103|XP806
    return each(*things, do=how, **options)  # never: XP102|XP806


net = ship(nn.Linear(5, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for step in range(20):
    x, y = ship(torch.randn(8, 5), torch.randint(2, (8,)), memory_format=torch.preserve_format)
    loss = criterion(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
