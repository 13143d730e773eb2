import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr

xr.use_spmd()


class Prefetch:
    def __init__(self, loader, device, input_sharding):
        self.loader = pl.MpDeviceLoader(loader, device, input_sharding=input_sharding)

    def __iter__(self):
        for x in self.loader:
            yield x / 255


def optimizer_first(model, mesh):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for weight in model.parameters():
        xs.mark_sharding(weight, mesh, ("fsdp", None))
    return optimizer


def blocks_alone(net, mesh):
    for block in net.blocks:
        for weight in block.parameters():
            xs.mark_sharding(weight, mesh, ("fsdp", None))
    return torch.optim.SGD(net.parameters(), lr=0.1)


def if_asked_for(large, mesh, args):
    if args.fsdp:
        for weight in large.parameters():
            xs.mark_sharding(weight, mesh, ("fsdp", None))
    return torch.optim.SGD(large.parameters(), lr=0.1)


def twice(pair, mesh):
    for weight in pair.parameters():
        xs.mark_sharding(weight, mesh, ("fsdp", None))
    for name, weight in pair.named_parameters():
        if name.endswith("bias"):
            xs.mark_sharding(weight, mesh, ("fsdp",))
    return torch.optim.SGD(pair.parameters(), lr=0.1)


def once_more(pair, mesh):
    for weight in pair.parameters():
        xs.mark_sharding(weight, mesh, ("fsdp", None))


def cleared(model):
    for weight in model.parameters():
        xs.clear_sharding(weight)
    return torch.optim.SGD(model.parameters(), lr=0.1)


def swapped(mesh, loader):
    mesh = xs.get_1d_mesh("data")
    for _ in range(2):
        other = mesh
        mesh = other
    spec = xs.ShardingSpec(mesh, ("data", None))
    return Prefetch(loader, torch_xla.device(), input_sharding=spec)


run(optimizer_first, blocks_alone, if_asked_for, twice, cleared, swapped)
