import torch
import torch.distributed as dist
import torch_xla
import torch_xla.core.xla_model as xm


def halved(losses):
    for part in losses.values():
        part.div_(2)


def in_a_dict(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            losses = {"loss": loss}
            for v in losses.values():
                v.zero_()


def by_a_key(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            parts = {"a": loss}
            parts["a"].zero_()


def by_a_keyword(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            parts = dict(l=loss)
            parts["l"].zero_()


def by_an_expression(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            (other := loss).zero_()


def by_a_loop(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            for part in (loss,):
                part.zero_()


def by_a_comprehension(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            [part.zero_() for part in [loss]]


def at_once(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            torch._foreach_zero_([loss])


def by_a_default(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            clear = lambda part=loss: part.zero_()
            clear()


def by_a_function(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            def clear():
                loss.zero_()

            clear()


def by_a_star(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            first, *rest = [1, loss]
            rest[0].zero_()


def by_a_choice(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            chosen = loss if box else None
            chosen.zero_()


def by_a_context(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            with box.hold(loss) as part:
                part.zero_()


def by_an_object(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            box.last = [loss]
            box.last[0].zero_()


def by_a_helper(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            halved({"loss": loss})


def by_a_collective(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            reduced = {"loss": loss}
            for part in reduced.values():
                dist.all_reduce(part)


def by_a_caller(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            yield loss


def held_before(model, loader, optimizer, box):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        parts = {"loss": loss}
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss.clone(),),
                run_async=True,
            )
        torch_xla.sync()
        with torch.no_grad():
            for part in parts.values():
                part.zero_()
