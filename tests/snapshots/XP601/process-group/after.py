import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data.distributed import DistributedSampler


def worker(rank, world_size, model, data):
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    model = DDP(model, device_ids=[rank])
    sampler = DistributedSampler(data)
    total = torch.zeros(1)
    dist.all_reduce(total)
    dist.barrier()
    dist.destroy_process_group()


mp.spawn(worker, args=(8, None, None), nprocs=8)
