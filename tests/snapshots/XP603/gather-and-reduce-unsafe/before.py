import os

import torch
import torch.distributed as dist
from torch.distributed import reduce


@torch.no_grad()
def concat_all_gather(tensor):
    gathered = [torch.ones_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(gathered, tensor, async_op=False)
    return torch.cat(gathered, dim=0)


def reduce_losses(losses):
    with torch.no_grad():
        names = sorted(losses)
        values = torch.stack([losses[name] for name in names])
        dist.reduce(values, dst=0)
        if dist.get_rank() == 0:
            values /= dist.get_world_size()
    return dict(zip(names, values))


def highest(value):
    reduce(value, 0, dist.ReduceOp.MAX)
    return value


def main():
    dist.init_process_group("nccl")
    model = torch.nn.Linear(4, 1).to(int(os.environ["LOCAL_RANK"]))
    out = concat_all_gather(model(torch.ones(2, 4, device="cuda")))
    print(reduce_losses({"a": out.sum()}), highest(out.max()))


if __name__ == "__main__":
    main()
