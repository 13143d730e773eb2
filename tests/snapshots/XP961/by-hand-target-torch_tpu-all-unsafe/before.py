import torch
from datasets.distributed import split_dataset_by_node
import torch_xla
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr


def make_path(rank):
    return f"{rank}.pt" if rank else ""


SHARES = {"x": xs.ShardingSpec(None, ("data", None))}


class Trainer:
    def __init__(self, model, loader):
        self.mesh = xs.get_1d_mesh("data")
        self.model, self.index = model, xr.process_index()
        start = xr.process_index()
        self.first = loader.dataset[start :: xr.process_count()]
        self.seed = 7 + start + self.index
        self.data = split_dataset_by_node(loader.dataset, xr.process_index(), xr.process_count())
        print(xr.process_index(), f"{xr.process_index()}")
        self.path = make_path(xr.process_index())
        torch.manual_seed(self.seed)
        xs.mark_sharding(model.weight, self.mesh, ("data", None))
        device = torch_xla.device()
        second = xs.ShardingSpec(self.mesh, (None, "data"))
        self.loaders = [
            pl.MpDeviceLoader(loader, device, input_sharding=second),
            pl.MpDeviceLoader(loader, device, input_sharding=SHARES),
            pl.MpDeviceLoader(loader, device, batchdim=1, input_sharding=xs.ShardingSpec(self.mesh, ("data", None))),
        ]

    def step(self, x, optimizer):
        self.model(x).mean().backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        optimizer.step()

    def mark(self):
        for weight in self.model.parameters():
            xs.mark_sharding(weight, self.mesh, ("data", None))
            print(weight.shape)


started = xr.use_spmd()
print(started, xr.is_spmd(), xs.get_global_mesh().shape())
Trainer(*made())
