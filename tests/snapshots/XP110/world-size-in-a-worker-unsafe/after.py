import torch.distributed as dist
import torch_xla.runtime as xr


def worker(rank, args):
    world_size = xr.world_size()
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    lr = args.lr * xr.world_size()
    batch_size = args.batch_size // xr.world_size()
    print("processes", xr.global_runtime_device_count())
    return world_size, lr, batch_size
