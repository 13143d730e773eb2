import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))


class Log:
    def __init__(self):
        self.last = None

    def info(self, value):
        self.last = value.item()


log = Log()
best = 9.0
history = []

# The step goes by it.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    value = loss.item()
    print(value)
    if value < best:
        best = value

# It is kept.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    value = loss.item()
    print(value)
    history.append({"loss": value})

# Used behind the loop.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    last = loss.item()
    print(last)
print(last)

# In the next pass.
before = 0.0
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    value = loss.item()
    print(value - before)
    before = value

# Not a logger, but something that keeps what it gets.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    log.info(loss)

# A condition, which stands as it is.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if loss.item() > 1:
        print("large")


def epoch():
    for x in loader:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        value = loss.item()
        print(value)
    return value


# Nothing of the device.
for step, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(step)
