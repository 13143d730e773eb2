import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel


def mean(value):
    work = dist.all_reduce(value, op=dist.reduce_op.SUM, async_op=True)
    work.wait()
    return value / dist.get_world_size()


def everything(rows):
    gathered = [torch.empty_like(rows) for _ in range(dist.get_world_size())]
    work = dist.all_gather(gathered, rows, async_op=True)
    print("on its way")
    work.wait()
    return torch.cat(gathered)


def of_the_first(value):
    work = dist.reduce(value, dst=0, async_op=True)
    work.wait()
    return value


def main():
    mp.set_start_method("spawn")
    dist.init_process_group("nccl")
    model = DistributedDataParallel(torch.nn.Linear(4, 1).to(int(os.environ["LOCAL_RANK"])))
    out = model(torch.ones(2, 4, device="cuda"))
    print(mean(out.sum().detach()), of_the_first(out.mean().detach()), everything(out.detach()))


if __name__ == "__main__":
    main()
