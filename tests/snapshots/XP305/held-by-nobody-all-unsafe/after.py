import torch
import torch_xla
import torch_xla.core.xla_model as xm
import wandb


def train(model, loader, optimizer):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss: print("loss", loss.item()),
                args=(loss,),
                run_async=True,
            )
        torch_xla.sync()


def shown_again(model, loader, optimizer, scaler):
    total = torch.zeros((), device=torch_xla.device())
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        scaler.scale(loss).backward()
        optimizer.step()
        total += loss.detach()
        xm.add_step_closure(
            lambda i, loss: print("step %d: %f" % (i, loss.item())),
            args=(i, loss),
            run_async=True,
        )
        torch_xla.sync()
        wandb.log({"loss": loss, "squared": loss**2})
    return total


def with_an_accelerator(model, loader, optimizer, accelerator):
    for i, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).sum()
        accelerator.backward(loss)
        optimizer.step()
        mean = loss.detach()
        if i % 10 == 0:
            xm.add_step_closure(
                lambda loss, value: print("loss", loss.item(), float(value)),
                args=(loss, mean * 2),
                run_async=True,
            )
        torch_xla.sync()
