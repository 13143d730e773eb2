import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def shows(epoch, x):
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(loss.item())


def leaves_early(epoch, x):
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    if epoch == 3:
        return
    print(f"{loss:.3f}")


def in_branches(epoch, x):
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    if epoch % 2:
        print(loss.item())
    else:
        model(x.to(device)).sum().backward()


for epoch, x in enumerate(loader):
    shows(epoch, x)
    torch_xla.sync()

for epoch, x in enumerate(loader):
    leaves_early(epoch, x)
    torch_xla.sync()
    print(epoch)

for epoch, x in enumerate(loader):
    in_branches(epoch, x)
    torch_xla.sync()
