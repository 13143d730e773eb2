import time

import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))


# What it hands back may be changed before the closure runs.
def gives_back(x):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(loss.item())
    return loss


for x in loader:
    gives_back(x.to(device)).add_(1)


# It is compiled.
@torch.compile
def compiled(x):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(loss.item())


for x in loader:
    compiled(x.to(device))


# The number is used further on.
history = []


def counts(x):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    value = loss.item()
    print(value)
    history.append(value)


for x in loader:
    counts(x.to(device))


# The program ends behind it.
def stops(x):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if x.shape[0] > 3:
        print("stop", loss.item())
        raise ValueError


for x in loader:
    stops(x.to(device))


# The sync is not made each time.
def now_and_then(step, x):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    if step % 2:
        torch_xla.sync()
    print(loss.item())


for step, x in enumerate(loader):
    now_and_then(step, x.to(device))


# No step calls it.
def report(x):
    with torch.no_grad():
        loss = model(x).mean()
    torch_xla.sync()
    print(loss.item())


report(torch.zeros(8, 4).to(device))


# The number decides.
def decides(x):
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if loss.item() > 3:
        print("large", loss.item())


for x in loader:
    decides(x.to(device))


# Part of a loop.
def many(xs):
    loss = model(xs).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    for value in loss.reshape(1):
        print(value.item())


for x in loader:
    many(x.to(device))
