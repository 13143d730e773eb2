import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

total = torch.zeros((), device=device)

# Added to in place by the next pass.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    total += loss.detach()
    print(total.item())

# Changed in place at the top of the next pass.
loss = torch.zeros((), device=device)
for x in loader:
    loss.zero_()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(loss.item())

# Changed in place behind the log, and behind the loop.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    mean = loss.detach() / 2
    print(mean.item())
    mean.mul_(2)
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    half = loss.detach() / 2
    print(half.item())
half.mul_(2)

# A view of it.
for x in loader:
    out = model(x.to(device))
    loss = out.mean()
    first = out[0]
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(first.item())
    out.detach().zero_()


class Trainer:
    def __init__(self):
        self.total = torch.zeros((), device=device)

    def train(self):
        for x in loader:
            loss = model(x.to(device)).mean()
            loss.backward()
            optimizer.step()
            torch_xla.sync()
            self.total += loss.detach()
            print(self.total.item())
