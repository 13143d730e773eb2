import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def gathered(x):
    parts = [torch.empty_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)
    return torch.cat(parts), dist.get_rank()


def scattered(x, parts):
    out = torch.empty(4)
    dist.reduce_scatter(out, parts)
    dist.reduce(x, 0)
    dist.all_gather_into_tensor(x, out)
    dist.gather(x, parts)
    dist.scatter(x, parts)
    dist.send(x, 1)
    dist.recv(x, 1)
    dist.all_gather_object(parts, 3)
    dist.broadcast_object_list(parts)
    dist.all_to_all(parts, parts)
    dist.new_group([0, 1])
    dist.destroy_process_group()
    return out


def wrapped(model):
    return DistributedDataParallel(model, device_ids=[0])


def asked():
    return dist.is_initialized(), dist.is_available(), dist.is_available()
