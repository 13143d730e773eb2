import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch.utils.data import DataLoader, DistributedSampler

xr.use_spmd()


def shard(model, mesh):
    for name, weight in model.named_parameters():
        if "norm" in name:
            continue
        if weight.dim() == 2:
            xs.mark_sharding(weight, mesh, ("fsdp", None))
        else:
            xs.mark_sharding(weight, mesh, ("fsdp",))


def train(model, data, per_host):
    rank = xr.process_index()
    sampler = DistributedSampler(data, num_replicas=xr.process_count(), rank=rank)
    other = DistributedSampler(data, xr.process_count(), rank=xr.process_index(), shuffle=False)
    mesh = xs.get_1d_mesh("fsdp")
    spec = xs.ShardingSpec(mesh, ("fsdp", None), minibatch=True)
    for weight in model.parameters():
        xs.mark_sharding(weight, mesh, ("fsdp",) + (None,) * (weight.dim() - 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    print(xr.world_size(), xr.addressable_runtime_device_count(), xr.global_runtime_device_count())
    for x in pl.MpDeviceLoader(DataLoader(data, 8, sampler=sampler), torch_xla.device(), input_sharding=spec):
        loss = model(x).square().mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        torch_xla.sync()
    for x in pl.MpDeviceLoader(
        loader=DataLoader(data, 8, sampler=other),
        device=torch_xla.device(),
        # of all hosts
        input_sharding=xs.ShardingSpec(mesh, (("fsdp", "data"), None)),
    ):
        print(model(x))
    weights = {name: value.cpu() for name, value in model.state_dict().items()}
    if rank == 0:
        torch.save(weights, "model.pt")
        torch.save(model.state_dict(), "again.pt")


train(torch.nn.Linear(2, 2).to(torch_xla.device()), torch.randn(32, 2), True)
