import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

import numpy as np

total = torch.zeros((), device=device)
history = []
counts = np.zeros(3)
seen = {}


def note(record, x):
    record[len(record)] = x


# A parameter that is shown as a whole: what it shows is a parameter, too.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(model.bias)

# A list that grows.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    history.append(1)
    print(history, loss.item())

# An array that is added to in place.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    counts += 1
    print(counts, loss.item())

# A dict that a function fills.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    note(seen, 1)
    print(seen, loss.item())


# A sum that may be a number.
sum_of_losses = 0
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    sum_of_losses += loss.detach()
    print(sum_of_losses)

# An iterator that is asked in between.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print([next(names) for _ in range(2)], loss.item())
