import torch
import torch.distributed as dist


def worker(rank, args):
    world_size = torch.cuda.device_count()
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    lr = args.lr * torch.cuda.device_count()
    batch_size = args.batch_size // torch.cuda.device_count()
    print("processes", torch.cuda.device_count())
    return world_size, lr, batch_size
