import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch.utils.tensorboard import SummaryWriter

xr.use_spmd()


def save(model, optimizer, path):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)


def evaluate(model, x):
    if xr.process_index() != 0:
        return None
    return model(x).mean()


def main(mesh, batches):
    model = torch.nn.Linear(2, 2).to(torch_xla.device())
    for weight in model.parameters():
        xs.mark_sharding(weight, mesh, ("fsdp",))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    rank, hosts = xr.process_index(), xr.process_count()
    mine = [batch for number, batch in enumerate(batches) if number % xr.process_count() == xr.process_index()]
    for x in mine[rank::hosts]:
        model(x).mean().backward()
        xm.optimizer_step(optimizer)
        optimizer.zero_grad()
        evaluate(model, x)
    if rank == 0:
        save(model, optimizer, "model.pt")
    kept = {}
    kept["rank"] = xr.process_index()
    unused = xr.process_index()
    writer = SummaryWriter(f"runs/{xr.process_index()}")
    return writer, xm.get_ordinal() == 0, xm.get_ordinal(), xr.global_device_count(), model.weight.grad


main(*made())
