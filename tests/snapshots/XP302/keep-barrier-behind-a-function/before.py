import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def of_two_loops(epoch, x):
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(loss.item())


def twice(epoch, x):
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(loss.item())


def at_times(epoch, x):
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(loss.item())


def in_between(epoch, x):
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(loss.item())


def reads_nothing(epoch, x):
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    return loss


def has_its_own(epoch, x):
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(loss.item())


for epoch, x in enumerate(loader):
    of_two_loops(epoch, x)
    torch_xla.sync()

for epoch, x in enumerate(loader):
    of_two_loops(epoch, x)
    torch_xla.sync()

for epoch, x in enumerate(loader):
    twice(epoch, x)
    twice(epoch, x)
    torch_xla.sync()

for epoch, x in enumerate(loader):
    if epoch > 3:
        at_times(epoch, x)
    else:
        reads_nothing(epoch, x)
    torch_xla.sync()

for epoch, x in enumerate(loader):
    in_between(epoch, x)
    model(x.to(device)).sum().backward()
    optimizer.step()
    torch_xla.sync()

for epoch, x in enumerate(loader):
    reads_nothing(epoch, x)
    torch_xla.sync()

for epoch, x in enumerate(loader):
    has_its_own(epoch, x)
