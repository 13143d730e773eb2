import torch_xla.core.xla_model as xm


def log(names, loss):
    for name in names:
        xm.add_step_closure(print, args=(name, loss))


def train(model, loader, optimizer, scheduler, names):
    for batch in loader:
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        for name in names:
            xm.add_step_closure(lambda: print(name, loss.item()))
        scheduler.step()
    for batch in loader:
        for part in batch:
            loss = model(part).sum()
            loss.backward()
            xm.add_step_closure(print, args=(loss,))
        xm.optimizer_step(optimizer, barrier=True)
    for batch in loader:
        model(batch).sum().backward()
        log(names, batch)
        optimizer.step()
    for batch in loader:
        loss = model(batch).sum()
        loss.backward()
        try:
            xm.add_step_closure(print, args=(loss,))
        except ValueError:
            raise
        else:
            optimizer.step()
    for batch in loader:
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        for name in names:
            if name is not None:
                xm.add_step_closure(print, args=(name, loss))
        xm.mark_step()
    for epoch in range(10):
        for batch in loader:
            loss = model(batch).sum()
            loss.backward()
            optimizer.step()
            xm.add_step_closure(print, args=(epoch, loss))
        scheduler.step()


train(None, [], None, None, ["a"])
