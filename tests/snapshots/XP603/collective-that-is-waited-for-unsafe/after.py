import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch_xla
import torch_xla.distributed.xla_backend
import torch_xla.runtime as xr
from torch.nn.parallel import DistributedDataParallel


def mean(value):
    dist.all_reduce(value, op=dist.reduce_op.SUM)
    torch_xla.sync()
    return value / dist.get_world_size()


def everything(rows):
    gathered = [torch.empty_like(rows) for _ in range(dist.get_world_size())]
    dist.all_gather(gathered, rows)
    torch_xla.sync()
    print("on its way")
    return torch.cat(gathered)


def of_the_first(value):
    dist.all_reduce(value)
    torch_xla.sync()
    return value


def main():
    mp.set_start_method("spawn", force=True)
    dist.init_process_group("xla", init_method="xla://")
    model = DistributedDataParallel(torch.nn.Linear(4, 1).to(xr.local_ordinal()), gradient_as_bucket_view=True)
    out = model(torch.ones(2, 4, device="cuda"))
    print(mean(out.sum().detach()), of_the_first(out.mean().detach()), everything(out.detach()))


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
