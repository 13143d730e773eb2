import torch
import os
from datasets.distributed import split_dataset_by_node
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr


def make_path(rank):
    return f"{rank}.pt" if rank else ""


SHARES = {"x": xs.ShardingSpec(None, ("data", None))}


class Trainer:
    def __init__(self, model, loader):
        self.mesh = xs.get_1d_mesh("data")
        self.model, self.index = model, int(os.environ.get("GROUP_RANK", "0"))
        start = int(os.environ.get("GROUP_RANK", "0"))
        self.first = loader.dataset[start :: int(os.environ.get("GROUP_WORLD_SIZE", "1"))]
        self.seed = 7 + start + self.index
        self.data = split_dataset_by_node(loader.dataset, int(os.environ.get("GROUP_RANK", "0")), int(os.environ.get("GROUP_WORLD_SIZE", "1")))
        print(int(os.environ.get("RANK", "0")), f"{int(os.environ.get('RANK', '0'))}")
        self.path = make_path(int(os.environ.get("GROUP_RANK", "0")))
        torch.manual_seed(self.seed)
        xs.mark_sharding(model.weight, self.mesh, ("data", None))
        device = torch.accelerator.current_accelerator()
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
