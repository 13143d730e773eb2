import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def main(model, device, rank, world_size):
    backend = dist.get_default_backend_for_device(device)
    dist.init_process_group(backend, rank=rank, world_size=world_size)
    return DistributedDataParallel(model)


def other(device):
    dist.init_process_group(backend=dist.get_default_backend_for_device(device))
