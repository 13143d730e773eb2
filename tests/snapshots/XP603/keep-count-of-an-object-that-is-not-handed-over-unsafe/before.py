import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Options:
    rank = 0
    batch_size = 128


opt = Options()


def worker(index, url):
    """Train on one GPU."""
    opt.rank = opt.rank * opt.gpus_per_node + index
    dist.init_process_group("nccl", init_method=url, world_size=opt.world_size, rank=opt.rank)
    opt.batch_size = int(opt.batch_size / opt.gpus_per_node)
    model = DistributedDataParallel(torch.nn.Linear(4, 1).to(index))
    data = TensorDataset(torch.rand(64, 4))
    sampler = DistributedSampler(data)
    for (x,) in DataLoader(data, batch_size=opt.batch_size, sampler=sampler, drop_last=True):
        model(x.to(index)).mean().backward()


if __name__ == "__main__":
    opt.gpus_per_node = torch.cuda.device_count()
    opt.world_size = opt.gpus_per_node
    mp.spawn(worker, nprocs=opt.gpus_per_node, args=("tcp://127.0.0.1:23456",))
