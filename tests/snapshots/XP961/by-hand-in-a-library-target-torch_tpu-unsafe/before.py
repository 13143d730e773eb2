import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs


def loader(batches, device, mesh):
    return pl.MpDeviceLoader(batches, device, input_sharding=xs.ShardingSpec(mesh, ("data", None)))


def shard(model):
    mesh = xs.get_1d_mesh("data")
    for weight in model.parameters():
        xs.mark_sharding(weight, mesh, ("data", None))
