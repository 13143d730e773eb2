import torch
import torch_xla
import torch_xla.core.xla_model as xm

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
        if i % 3 == 2:
            xm.add_step_closure(
                lambda total: print(total.item() / 3),
                args=(total,),
                run_async=True,
            )
            total = 0
        torch_xla.sync()


def both_losses():
    # Each pass begins with a new tensor, and adds to that.
    for x in loader:
        loss = model(x.to(device)).mean()
        both = loss
        both += model(-x.to(device)).mean()
        both.backward()
        optimizer.step()
        xm.add_step_closure(lambda both: print(both.item()), args=(both,), run_async=True)
        torch_xla.sync()


def by_seldom_windows():
    # The sum goes on where the name gets another value only now and then.
    total = 0
    for i, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        total += loss.detach()
        if i % 3 == 2:
            xm.add_step_closure(
                lambda total: print(total.item() / 3),
                args=(total.clone(),),
                run_async=True,
            )
            if i % 6 == 5:
                total = 0
        torch_xla.sync()


def under_another_name():
    # Another name has the sum, which goes on under that.
    total = 0
    kept = torch.zeros((), device=device)
    for i, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        total += loss.detach()
        if i % 3 == 2:
            kept = total
            xm.add_step_closure(
                lambda total: print(total.item() / 3),
                args=(total.clone(),),
                run_async=True,
            )
            total = 0
        torch_xla.sync()
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
        xm.add_step_closure(lambda both: print(both.item()), args=(both.clone(),), run_async=True)
        torch_xla.sync()
