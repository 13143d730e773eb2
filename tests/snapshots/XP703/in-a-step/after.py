import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch import nn


def behind_the_barrier(model, optimizer, batches):
    for step, batch in enumerate(batches):
        model(batch).sum().backward()
        xm.optimizer_step(optimizer)
        torch_xla.sync()
        if step % 100 == 0 and xm.is_master_ordinal():
            print(step)
            xm.save(model.state_dict(), "last.pt")


def before_the_barrier(model, optimizer, batches):
    for step, batch in enumerate(batches):
        model(batch).sum().backward()
        xm.optimizer_step(optimizer)
        if step % 100 == 0 and xm.is_master_ordinal():
            print(step)
            xm.save(model.state_dict(), "last.pt")
        torch_xla.sync()


def before_the_next_step(model, optimizer, batches):
    for step, batch in enumerate(batches):
        if step % 100 == 0 and xm.is_master_ordinal():
            print(step)
            xm.save(model.state_dict(), "last.pt")
        model(batch).sum().backward()
        xm.optimizer_step(optimizer)
        torch_xla.sync()


def before_the_barrier_of_the_loader(model, optimizer, loader):
    for step, batch in enumerate(pl.MpDeviceLoader(loader, torch_xla.device())):
        model(batch).sum().backward()
        xm.optimizer_step(optimizer)
        if step % 100 == 0 and xm.is_master_ordinal():
            print(step)
            xm.save(model.state_dict(), "last.pt")


def seldom(model, optimizer, loader, rank):
    for step, batch in enumerate(pl.MpDeviceLoader(loader, torch_xla.device())):
        model(batch).sum().backward()
        xm.optimizer_step(optimizer)
        if step % 100 == 0:
            torch_xla.sync()
            if rank == 0:
                path = f"{step}.pt"
                xm.save(model.state_dict(), path)


def main(index, loader):
    model = nn.Linear(4, 2).to(torch_xla.device())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    behind_the_barrier(model, optimizer, loader)


torch_xla.launch(main)
