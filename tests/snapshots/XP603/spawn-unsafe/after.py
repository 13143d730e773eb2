import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend
import torch_xla.runtime as xr
from torch.nn.parallel import DistributedDataParallel


def setup(rank, world_size):
    # join the others
    dist.init_process_group("xla", init_method="xla://")


def worker(rank, lr):
    """Train on one GPU."""
    world_size = xr.world_size()
    setup(rank, world_size)
    model = DistributedDataParallel(torch.nn.Linear(4, 1).to(rank), find_unused_parameters=False, gradient_as_bucket_view=True)
    total = torch.zeros(1, device=rank)
    dist.all_reduce(total, op=dist.ReduceOp.SUM)
    torch_xla.sync()
    assert isinstance(model, DistributedDataParallel)


def run():
    torch_xla.launch(worker, args=(0.1,))


if __name__ == "__main__":
    run()
