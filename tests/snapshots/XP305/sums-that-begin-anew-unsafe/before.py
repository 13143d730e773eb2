import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8)


def by_windows():
    # The name gets another value right behind the log.
    total = 0
    for i, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        total += loss.detach()
        torch_xla.sync()
        if i % 3 == 2:
            print(total.item() / 3)
            total = 0


def both_losses():
    # Each pass begins with a new tensor, and adds to that.
    for x in loader:
        loss = model(x.to(device)).mean()
        both = loss
        both += model(-x.to(device)).mean()
        both.backward()
        optimizer.step()
        torch_xla.sync()
        print(both.item())


def by_seldom_windows():
    # The sum goes on where the name gets another value only now and then.
    total = 0
    for i, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        total += loss.detach()
        torch_xla.sync()
        if i % 3 == 2:
            print(total.item() / 3)
            if i % 6 == 5:
                total = 0


def under_another_name():
    # Another name has the sum, which goes on under that.
    total = 0
    kept = torch.zeros((), device=device)
    for i, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        total += loss.detach()
        torch_xla.sync()
        if i % 3 == 2:
            kept = total
            print(total.item() / 3)
            total = 0
        kept += 1
    print(kept.item())


def some_passes_go_on():
    # A pass may go on with the tensor of the last one.
    both = torch.zeros((), device=device)
    for i, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        if i % 2:
            both = loss.detach() * 2
        both += 1
        torch_xla.sync()
        print(both.item())
