import torch
import torch.distributed as dist
import torch_xla
from torch.multiprocessing import Process


def train(rank, size):
    dist.init_process_group("nccl", rank=rank, world_size=size)
    torch.manual_seed(1234)
    torch_xla.manual_seed(1234)
    return torch.nn.Linear(4, 2).cuda()


def other(function):
    torch.manual_seed(1234)
    torch_xla.manual_seed(1234)


if __name__ == "__main__":
    other(train)
    for rank in range(2):
        Process(target=train, args=(rank, 2)).start()
