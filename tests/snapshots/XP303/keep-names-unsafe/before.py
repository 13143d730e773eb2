import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

import mystery
from tqdm import tqdm

bar = tqdm(loader)
begun = mystery.start()
shown = used = changed = 0.0
functions = []
for i, x in enumerate(bar):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    shown = loss.item()
    bar.set_postfix(loss=shown)
    used = loss.item()
    optimizer.param_groups[0]["lr"] = used * 0.1
    late = loss.item()
    functions.append(lambda: late)
    changed = loss.item()
    changed *= 2
    if i % 3 == 0:
        begun = loss.item()
    decided = loss.item()
    if decided > 10:
        break
    maybe = loss.item() if i else None
    powered = loss.item() ** 2
print(begun, changed, [f() for f in functions], maybe, powered)
greatest = 0
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    greatest = max(greatest, loss.item())
print(greatest)
